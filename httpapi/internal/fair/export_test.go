package fair

// Owners returns the number of owners and groups that the queue knows.
func (q *Queue) Owners() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all.members)
}
