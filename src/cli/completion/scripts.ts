import type { Shell } from "./shells.js";

const bash = `# bash completion for voxctl
_voxctl() {
  local line
  COMPREPLY=()
  # Read line by line: word splitting would expand an asterisk in a name.
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(voxctl __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [ "\${COMPREPLY[*]}" = ":files" ]; then
    COMPREPLY=()
    compopt -o filenames -o default 2>/dev/null
  else
    local last="\${COMPREPLY[0]}"
    compopt -o nosort 2>/dev/null
    if [ "\${#COMPREPLY[@]}" -eq 1 ] && [ "\${last%[=/]}" != "$last" ]; then compopt -o nospace 2>/dev/null; fi
  fi
}
complete -F _voxctl voxctl
`;

const zsh = `#compdef voxctl
# zsh completion for voxctl
_voxctl() {
  local -a lines values descriptions folders
  local line
  # Read the current word from PREFIX: in words, an opening quote precedes it.
  lines=("\${(@f)$(voxctl __complete zsh "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ "$lines[1]" == ":files" ]]; then
    _files
    return
  fi
  for line in $lines; do
    [[ -z "$line" ]] && continue
    if [[ "\${line%%$'\\t'*}" == */ ]]; then
      folders+=("\${line%%$'\\t'*}")
      continue
    fi
    values+=("\${line%%$'\\t'*}")
    if [[ "\${line#*$'\\t'}" == "" ]]; then
      descriptions+=("\${line%%$'\\t'*}")
    else
      descriptions+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}")
    fi
  done
  (( $#folders )) && compadd -S '' -a folders
  (( $#values )) && compadd -M 'm:{a-zA-Z}={A-Za-z}' -l -d descriptions -a values
  (( $#values + $#folders ))
}
if [ "$funcstack[1]" = "_voxctl" ]; then
  _voxctl "$@"
else
  compdef _voxctl voxctl
fi
`;

const fish = `# fish completion for voxctl
function __voxctl_complete
  # The current word without an opening quote and backslashes.
  set -l word (commandline -ct | string replace -r '^["\\']' '' | string replace -ar '\\\\\\\\(.)' '$1')
  set -l lines (voxctl __complete fish (commandline -opc) "$word" 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path (commandline -ct)
  else
    string join \\n -- $lines
  end
end
complete -c voxctl -f -k -a '(__voxctl_complete)'
`;

/**
 * PowerShell drops empty arguments, so the script adds `=` before the current word. It quotes suggestions,
 * because `@` and commas have a special meaning. It sets the encoding, because older versions decode output
 * with the console's code page.
 */
const powershell = `# PowerShell completion for voxctl
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
    $value, $description = $line -split "\`t", 2
    if (-not $description) { $description = $value }
    $text = if ($value -match '^[\\w+=:./-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
`;

export const completionScripts: Readonly<Record<Shell, { file: string; text: string }>> = {
  bash: { file: "voxctl.bash", text: bash },
  zsh: { file: "_voxctl", text: zsh },
  fish: { file: "voxctl.fish", text: fish },
  powershell: { file: "voxctl.ps1", text: powershell },
};
