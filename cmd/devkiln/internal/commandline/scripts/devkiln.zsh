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
compdef _devkiln devkiln
