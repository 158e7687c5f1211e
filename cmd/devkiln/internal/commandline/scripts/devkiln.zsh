#compdef devkiln
_devkiln() {
	local -a found
	found=("${(@f)$(devkiln complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n ${found[1]} ]]; then
		compadd -- "${found[@]}"
	else
		compset -P '--*='
		_files
	fi
}
if [[ $funcstack[1] == _devkiln ]]; then
	_devkiln "$@" # a file in $fpath is the body of the function at its first call
else
	compdef _devkiln devkiln
fi
