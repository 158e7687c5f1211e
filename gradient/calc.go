package gradient

import (
	"math"
	"strings"
)

// calc() is evaluated while it is parsed: sums, products and sign() of values
// of one unit, and percentages mixed with angles or lengths where CSS allows
// that.

// terms is a sum of terms, with one coefficient per unit.
type terms struct {
	v   [unitCount]float64
	has [unitCount]bool
}

// singleUnit returns the unit of a sum that has exactly one unit.
func (t terms) singleUnit() (u unit, ok bool) {
	n := 0
	for i, has := range t.has {
		if has {
			n++
			u = unit(i)
		}
	}
	return u, n == 1
}

func (t terms) times(f float64) terms {
	for i, has := range t.has {
		if has {
			t.v[i] *= f
		}
	}
	return t
}

func (t terms) plus(o terms) terms {
	for i := range t.v {
		t.v[i] += o.v[i]
		t.has[i] = t.has[i] || o.has[i]
	}
	return t
}

func (p *scanner) atCalc() bool {
	const name = "calc("
	if p.i+len(name) > len(p.s) || p.s[p.i]|0x20 != 'c' {
		return false
	}
	return p.peekWord() == "calc" && p.s[p.i+len("calc")] == '('
}

// calc parses calc(). NaN becomes 0, as CSS specifies for a top-level
// calculation.
func (p *scanner) calc(expected string) (float64, unit) {
	start := p.i
	p.i += len("calc")
	t := p.parentheses()
	u, ok := t.singleUnit()
	if !ok && !t.has[noUnit] && t.has[deg] == (p.percentPerDegree != 0) && t.has[px] == (p.percentPerPixel != 0) {
		u, ok = percent, true
		t.v[percent] += t.v[deg]*p.percentPerDegree + t.v[px]*p.percentPerPixel
	}
	if !ok {
		p.failAt(start, expected)
	}
	if math.IsNaN(t.v[u]) {
		return 0, u
	}
	return t.v[u], u
}

func (p *scanner) parentheses() (t terms) {
	const deepest = 32
	if p.depth++; p.depth > deepest {
		p.fail("at most 32 nested parentheses")
		return t
	}
	defer func() { p.depth-- }()
	p.i++
	t = p.sum()
	p.expect(')', "an operator or )")
	return t
}

// sum parses products joined by + and -, which require space around them.
func (p *scanner) sum() terms {
	t := p.product()
	for {
		before := p.i
		p.space()
		sign := p.peek()
		if sign != '+' && sign != '-' {
			return t
		}
		p.i++
		after := p.i
		p.space()
		if before == after-1 || p.i == after {
			p.failAt(after-1, "space around an operator")
		}
		next := p.product()
		if sign == '-' {
			next = next.times(-1)
		}
		if next.has[noUnit] != t.has[noUnit] {
			p.fail("terms of the same kind")
		}
		t = t.plus(next)
	}
}

func (p *scanner) product() terms {
	t := p.factor()
	for {
		before := p.i
		p.space()
		divide := p.peek() == '/'
		if !divide && p.peek() != '*' {
			p.i = before
			return t
		}
		p.i++
		at := p.i
		next := p.factor()
		if u, ok := t.singleUnit(); ok && u == noUnit && !divide {
			t, next = next, t
		}
		if u, ok := next.singleUnit(); !ok || u != noUnit {
			p.failAt(at, "a number")
		}
		f := next.v[noUnit]
		if divide {
			f = 1 / f
		}
		t = t.times(f)
	}
}

func (p *scanner) factor() (t terms) {
	p.space()
	if p.peek() == '(' || p.atCalc() {
		if p.peek() != '(' {
			p.i += len("calc")
		}
		return p.parentheses()
	}
	negative := p.peek() == '-' && !p.atNumber()
	if negative {
		p.i++
	}
	w := p.peekWord()
	constant, ok := map[string]float64{"pi": math.Pi, "e": math.E, "infinity": math.Inf(1), "nan": math.NaN()}[w]
	switch {
	case ok:
		p.i += len(w)
		t.v[noUnit], t.has[noUnit] = constant, true
		if negative {
			t = t.times(-1)
		}
		return t
	case w == "sign" && strings.HasPrefix(p.s[p.i+len(w):], "(") && !negative:
		return p.sign()
	}
	v, u := p.number("a number, (, sign() or a constant")
	t.v[u], t.has[u] = v, true
	return t
}

// sign parses sign(), whose name is next, and returns -1, 0 or 1.
func (p *scanner) sign() (out terms) {
	at := p.i
	p.i += len("sign")
	t := p.parentheses()
	u, ok := t.singleUnit()
	if !ok {
		p.failAt(at, "terms of one kind in sign()")
	}
	out.has[noUnit] = true
	switch {
	case t.v[u] > 0:
		out.v[noUnit] = 1
	case t.v[u] < 0:
		out.v[noUnit] = -1
	}
	return out
}
