package fair

import "time"

// A node is an owner or a group of owners. It exists as long as it waits, has a
// turn or holds memory.
type node struct {
	name    string
	depth   int // number of groups above it
	parent  *node
	members map[string]*node

	waiting, running int // tickets
	held             int64

	// done is the work that its turns have begun, in the time of its group. A new
	// member begins at the time of the group: what done was of the member whose
	// turn came last, before that.
	done, now time.Duration
}

// find returns the node of a path, which it creates if there is none.
func (n *node) find(path []string) *node {
	for _, name := range path {
		member := n.members[name]
		if member == nil {
			member = &node{name: name, depth: n.depth + 1, parent: n, done: n.now}
			if n.members == nil {
				n.members = make(map[string]*node)
			}
			n.members[name] = member
		}
		n = member
	}
	return n
}

// change adds to the counts of a node and its groups, and removes those that are
// no longer needed.
func (n *node) change(waiting, running int, held int64) {
	for ; n != nil; n = n.parent {
		n.waiting += waiting
		n.running += running
		n.held += held
		if n.parent != nil && n.waiting == 0 && n.running == 0 && n.held == 0 {
			delete(n.parent.members, n.name)
		}
	}
}

// charge counts the work of a turn that begins.
func (n *node) charge(work time.Duration) {
	for ; n.parent != nil; n = n.parent {
		n.parent.now = max(n.parent.now, n.done)
		n.done += work
	}
}

// siblings returns the members, of the smallest group that has both nodes, to
// which they belong. A group cannot itself be an owner.
func siblings(a, b *node) (of, other *node) {
	for a.parent != b.parent {
		x, y := a.depth, b.depth
		if x >= y {
			a = a.parent
		}
		if y >= x {
			b = b.parent
		}
	}
	return a, b
}
