# PowerShell completion of voxctl
Register-ArgumentCompleter -Native -CommandName voxctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($_.Extent.EndOffset -eq $cursorPosition -and $_.Extent.Text -ne $wordToComplete) } | ForEach-Object { $_.Extent.Text.Trim("'", '"') })
  # An empty argument gets lost on the way to a program.
  $current = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
  if ($PSNativeCommandArgumentPassing -and $PSNativeCommandArgumentPassing -ne 'Legacy') { $current = $wordToComplete }
  voxctl __complete powershell @words $current 2>$null | ForEach-Object {
    if ($_ -eq ':files') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
      return
    }
    $value, $description = $_ -split "`t", 2
    if (-not $description) { $description = $value }
    $text = if ($value -match '[^\w@%+=:,./-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
