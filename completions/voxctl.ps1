# PowerShell completion for voxctl
Register-ArgumentCompleter -Native -CommandName voxctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($_.Extent.EndOffset -eq $cursorPosition -and $_.Extent.Text -ne $wordToComplete) })
  $words = @($before | ForEach-Object { $_.Extent.Text.Trim("'", '"') })
  $current = $wordToComplete.Trim("'", '"')
  $encoding = [Console]::OutputEncoding
  try { [Console]::OutputEncoding = [System.Text.Encoding]::UTF8 } catch { }
  $lines = @(voxctl __complete powershell @words "=$current" 2>$null)
  try { [Console]::OutputEncoding = $encoding } catch { }
  if ($lines -contains ':files') { return [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete) }
  foreach ($line in $lines) {
    $value, $description = $line -split "`t", 2
    if (-not $description) { $description = $value }
    $text = if ($value -match '^[\w+=:./-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
