# bash completion for voxctl
_voxctl() {
  local line
  COMPREPLY=()
  # Read line by line: word splitting would expand an asterisk in a name.
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(voxctl __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [ "${COMPREPLY[*]}" = ":files" ]; then
    COMPREPLY=()
    compopt -o filenames -o default 2>/dev/null
  else
    local last="${COMPREPLY[0]}"
    compopt -o nosort 2>/dev/null
    if [ "${#COMPREPLY[@]}" -eq 1 ] && [ "${last%[=/]}" != "$last" ]; then compopt -o nospace 2>/dev/null; fi
  fi
}
complete -F _voxctl voxctl
