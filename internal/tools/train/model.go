package main

import (
	"math"
	"slices"

	"github.com/devkiln/devkiln/internal/language"
)

// example is a window in the form that the model reads.
type example struct {
	features []uint16
	class    int
	weight   float64
}

// Parameters of the training, chosen on the training sources alone.
const (
	epochs   = 5
	rate     = 0.5  // learning rate of AdaGrad
	keep     = 0.7  // share of features that are used in one step
	clipTo   = 127  // largest weight after rounding
	perUnit  = 16   // rounded weight of one unit
	smallest = 1e-2 // initial sum of squares of AdaGrad
)

// model is a linear softmax in training. All arithmetic runs in one goroutine
// and in one order. Products are converted before they are added, which
// prevents the compiler from fusing the two into an operation that rounds
// differently on some machines.
type model struct {
	classes int
	weights []float64
	squares []float64
}

// heaviest is the maximum weight of an example of a rare class.
const heaviest = 5

// examplesOf converts windows to examples, with weights that give all classes
// about the same total.
func examplesOf(windows []window, classes []string) []example {
	examples := make([]example, len(windows))
	count := make([]int, len(classes))
	for i, w := range windows {
		class := slices.Index(classes, w.language)
		examples[i] = example{features: language.AppendFeatures(nil, w.text[:min(len(w.text), language.ClassifierRead)]), class: class}
		count[class]++
	}
	most := slices.Max(count)
	for i, e := range examples {
		examples[i].weight = min(heaviest, float64(most)/float64(count[e.class]))
	}
	return examples
}

func fit(examples []example, classes int) *model {
	m := &model{classes, make([]float64, classes*language.Buckets), make([]float64, classes*language.Buckets)}
	for i := range m.squares {
		m.squares[i] = smallest
	}
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	r := random(1)
	for epoch := range epochs {
		for i := len(order) - 1; i > 0; i-- {
			j := r.below(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		now := rate * (1 - float64(epoch)/epochs)
		for _, i := range order {
			m.step(examples[i], now, &r)
		}
	}
	return m
}

// step moves the weights towards an example, using a random part of it.
func (m *model) step(e example, rate float64, r *random) {
	seen := make([]uint16, 0, len(e.features))
	limit := uint64(math.Floor(keep * (1 << 32)))
	for _, f := range e.features {
		if r.next()>>32 < limit {
			seen = append(seen, f)
		}
	}
	if len(seen) == 0 {
		return
	}
	x := 1 / math.Sqrt(float64(len(seen)))
	errors := m.softmax(seen, x)
	errors[e.class]--
	wrong := make([]int, 0, m.classes)
	for c := range errors {
		if math.Abs(errors[c]) > negligible {
			wrong = append(wrong, c)
		}
		errors[c] *= e.weight * x
	}
	for _, f := range seen {
		at := int(f) * m.classes
		w, sq := m.weights[at:at+m.classes], m.squares[at:at+m.classes]
		for _, c := range wrong {
			g := errors[c]
			sq[c] += float64(g * g)
			w[c] -= float64(rate*g) / math.Sqrt(sq[c])
		}
	}
}

// negligible is the error of a probability that is not worth a step.
const negligible = 1e-3

func (m *model) softmax(features []uint16, x float64) []float64 {
	sums := make([]float64, m.classes)
	for _, f := range features {
		for c, w := range m.weights[int(f)*m.classes:][:m.classes] {
			sums[c] += w
		}
	}
	top := math.Inf(-1)
	for c := range sums {
		sums[c] *= x
		top = max(top, sums[c])
	}
	total := 0.0
	for c := range sums {
		sums[c] = exp(sums[c] - top)
		total += sums[c]
	}
	for c := range sums {
		sums[c] /= total
	}
	return sums
}

// exp returns e**x for x ≤ 0, to about twelve digits. The last bit of math.Exp
// differs between machines, which would change the weights.
func exp(x float64) float64 {
	if x < -40 {
		return 0
	}
	const halvings = 10
	x /= 1 << halvings
	sum, term := 1.0, 1.0
	for n := 1.0; n <= 6; n++ {
		term *= x / n
		sum += term
	}
	for range halvings {
		sum *= sum
	}
	return sum
}

// round returns the weights as bytes, as package language embeds them.
func (m *model) round() []byte {
	out := make([]byte, len(m.weights))
	for i, w := range m.weights {
		out[i] = byte(int8(math.Round(max(-clipTo, min(clipTo, w*perUnit)))))
	}
	return out
}
