function __devkiln_found
	devkiln complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c devkiln -f -a '(__devkiln_found)'
complete -c devkiln -n 'not __devkiln_found | string length -q' -F
