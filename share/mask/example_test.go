package mask_test

import (
	"fmt"

	"github.com/devkiln/devkiln/share/mask"
)

func ExampleSecrets() {
	text, found := mask.Secrets(`GET /v1/me user=ada password=hunter2
{"url":"postgres://kiln:s3cret@db/kiln","token":null}`, mask.Options{})
	fmt.Println(text)
	fmt.Println(found)
	// Output:
	// GET /v1/me user=ada password=[masked: password]
	// {"url":"postgres://kiln:[masked: password]@db/kiln","token":null}
	// 2 × password
}

func ExampleOptions() {
	text, _ := mask.Secrets("pin=7 password=hunter2", mask.Options{Limit: 25})
	fmt.Println(text)
	// Output: pin=7 password=***
}
