package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/devkiln/devkiln/store/postgres"
)

const (
	partitions = 64
	smallValue = 288   // bytes per share
	sweeps     = 50    // per round
	sweepLimit = 1_000 // entries per sweep
	expiring   = 20    // one in this many has expired when the table is filled
)

// layouts are the tables to compare, each in a schema of its name.
var layouts = []struct{ schema, partitioned string }{
	{"growth_whole", ""},
	{"growth_parts", " PARTITION BY HASH (key)"},
}

// comparePartitions compares a table of small shares with one of 64 partitions,
// in a database that has room for both, and removes them afterwards.
func comparePartitions(ctx context.Context, database string, shares, rounds int) (markdown string, err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	measured := make([][][]figure, len(layouts))
	for _, l := range layouts {
		defer func() {
			_, dropped := conn.Exec(context.WithoutCancel(ctx), "DROP SCHEMA IF EXISTS "+l.schema+" CASCADE")
			err = errors.Join(err, dropped)
		}()
		if err := fillTable(ctx, conn, l.schema, l.partitioned, shares); err != nil {
			return "", err
		}
	}
	for range rounds {
		for i, l := range layouts {
			f, err := measureTable(ctx, conn, database, l.schema, shares)
			if err != nil {
				return "", err
			}
			measured[i] = append(measured[i], f)
		}
	}
	return table("small shares in the database", []string{"one table", fmt.Sprintf("%d partitions", partitions)}, measured), nil
}

// fillTable creates the tables of package postgres, optionally with partitioned
// entries, and fills them. It creates the index of keys afterwards, with the
// free space in its pages that random keys leave.
func fillTable(ctx context.Context, conn *pgx.Conn, schema, partitioned string, shares int) error {
	var statements strings.Builder
	statements.WriteString(`DROP SCHEMA IF EXISTS ` + schema + ` CASCADE; CREATE SCHEMA ` + schema + `; SET search_path = ` + schema + `;
		CREATE TABLE devkiln_schema (version bigint PRIMARY KEY); INSERT INTO devkiln_schema VALUES (0), (1);
		CREATE TABLE devkiln_entries (key text COLLATE "C", value bytea NOT NULL, expires bigint NOT NULL)` + partitioned + `;`)
	for i := range partitions {
		if partitioned != "" {
			fmt.Fprintf(&statements, "CREATE TABLE devkiln_entries_%d PARTITION OF devkiln_entries FOR VALUES WITH (MODULUS %d, REMAINDER %d);", i, partitions, i)
		}
	}
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, statements.String()); err != nil {
			return err
		}
		if err := copyShares(ctx, tx, shares); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `ALTER TABLE devkiln_entries ADD PRIMARY KEY (key) WITH (fillfactor = 70);
			CREATE INDEX ON devkiln_entries (expires) WHERE expires < 9223372036854775807`)
		return err
	})
	if err == nil {
		_, err = conn.Exec(ctx, "VACUUM (ANALYZE) devkiln_entries")
	}
	return errors.Join(err, checkpoint(ctx, conn))
}

// copyShares fills the table.
func copyShares(ctx context.Context, tx pgx.Tx, shares int) error {
	now, value := time.Now(), make([]byte, smallValue)
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"devkiln_entries"}, []string{"key", "value", "expires"},
		pgx.CopyFromSlice(shares, func(i int) ([]any, error) {
			_, _ = rand.Read(value) // never returns an error
			return []any{keyOf(i), value, expiryOf(i, now).UnixMilli()}, nil
		}))
	return err
}

func checkpoint(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "CHECKPOINT")
	return err
}

// keyOf returns the key of the i-th share, as random as that of any share.
func keyOf(i int) string {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return fmt.Sprintf("log/%x", sum[:8])
}

// expiryOf returns an expiry in the past for one in expiring shares, and one in
// a day to a month for the others.
func expiryOf(i int, now time.Time) time.Time {
	if i%expiring == 0 {
		return now.Add(-time.Duration(i) * time.Millisecond)
	}
	return now.Add(24*time.Hour + time.Duration(mrand.Int64N(int64(29*24*time.Hour))))
}

func measureTable(ctx context.Context, conn *pgx.Conn, database, schema string, shares int) (all []figure, err error) {
	at, err := url.Parse(database)
	if err != nil {
		return nil, err
	}
	query := at.Query()
	query.Set("search_path", schema)
	at.RawQuery = query.Encode()
	db, err := postgres.Open(ctx, at.String(), postgres.Options{Timeout: time.Minute})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	value, expires := make([]byte, smallValue), time.Now().Add(time.Hour)
	create, err := together(creates, func(int) error {
		return db.Create(ctx, "log/"+rand.Text()[:16], value, expires)
	})
	if err != nil {
		return nil, err
	}
	read, err := together(reads, func(int) error {
		i := 1 + expiring*mrand.IntN(shares/expiring) // not expired
		_, err := db.Get(ctx, keyOf(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	var took []time.Duration
	for range sweeps {
		started := time.Now()
		if _, err := db.Sweep(ctx, sweepLimit); err != nil {
			return nil, err
		}
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	started := time.Now()
	if _, err := conn.Exec(ctx, "VACUUM "+schema+".devkiln_entries"); err != nil {
		return nil, err
	}
	vacuum := time.Since(started)
	var table, indexes int64 // bytes
	row := conn.QueryRow(ctx, `SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname LIKE 'devkiln_entries%'`, schema)
	err = errors.Join(row.Scan(&table, &indexes), checkpoint(ctx, conn))
	return []figure{
		{"create, a second", "%.0f", 1 / create.each.Seconds()},
		{"create, p99 in ms", "%.1f", create.p99.Seconds() * 1e3},
		{"read at random, a second", "%.0f", 1 / read.each.Seconds()},
		{"read, p99 in ms", "%.1f", read.p99.Seconds() * 1e3},
		{"sweep 1,000, median in ms", "%.1f", took[sweeps/2].Seconds() * 1e3},
		{"sweep 1,000, p99 in ms", "%.1f", took[sweeps*99/100].Seconds() * 1e3},
		{"VACUUM after it, s", "%.2f", vacuum.Seconds()},
		{"table, GB", "%.2f", float64(table) / 1e9},
		{"indexes, GB", "%.2f", float64(indexes) / 1e9},
	}, err
}
