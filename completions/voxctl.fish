# fish completion for voxctl
function __voxctl_complete
  # The current word without an opening quote and backslashes.
  set -l word (commandline -ct | string replace -r '^["\']' '' | string replace -ar '\\\\(.)' '$1')
  set -l lines (voxctl __complete fish (commandline -opc) "$word" 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path (commandline -ct)
  else
    string join \n -- $lines
  end
end
complete -c voxctl -f -k -a '(__voxctl_complete)'
