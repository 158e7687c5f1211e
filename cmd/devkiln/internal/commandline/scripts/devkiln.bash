_devkiln() {
	local IFS=$'\n'
	COMPREPLY=($(devkiln complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _devkiln devkiln
