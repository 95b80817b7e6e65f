# fish completion of voxctl
function __voxctl_complete
  set -l lines (voxctl __complete fish (commandline -opc) (commandline -ct) 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path (commandline -ct)
  else
    string join \n -- $lines
  end
end
complete -c voxctl -f -k -a '(__voxctl_complete)'
