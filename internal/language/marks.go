package language

import "strings"

// Languages that the classifier does not know are told by what stands on their
// lines: each row needs all its marks, each on a line of its own.

// mark is how a line starts and ends, blanks at its end aside.
type mark struct {
	prefix, suffix string
	inner          bool // blanks may stand before it
}

var marked = [...]struct {
	language string
	marks    []mark
}{
	{"nginx", []mark{{"proxy_pass ", ";", true}}},
	{"nginx", []mark{{"server_name ", ";", true}}},
	{"nginx", []mark{{"fastcgi_pass ", ";", true}}},
	{"nginx", []mark{{"server {", "", true}, {"listen ", ";", true}}},
	{"nginx", []mark{{"upstream ", "{", true}, {"server ", ";", true}}},
	{"hcl", []mark{{`resource "`, `" {`, false}}},
	{"hcl", []mark{{`data "`, `" {`, false}}},
	{"hcl", []mark{{`variable "`, `" {`, false}}},
	{"hcl", []mark{{`provider "`, `" {`, false}}},
	{"hcl", []mark{{`module "`, `" {`, false}}},
	{"hcl", []mark{{`output "`, `" {`, false}}},
	{"hcl", []mark{{"terraform {", "", false}}},
	{"graphql", []mark{{"type Query {", "", false}}},
	{"graphql", []mark{{"type Mutation {", "", false}}},
	{"graphql", []mark{{"extend type ", "{", false}}},
	{"graphql", []mark{{"type ", " {", false}, {"", "!", true}}},
	{"graphql", []mark{{"input ", " {", false}, {"", "!", true}}},
	{"graphql", []mark{{"fragment ", " {", false}}},
	{"graphql", []mark{{"query ", " {", false}}},
	{"graphql", []mark{{"mutation ", " {", false}}},
	{"groovy", []mark{{"pipeline {", "", false}, {"agent ", "", true}}},
	{"groovy", []mark{{"pipeline {", "", false}, {"stages {", "", true}}},
	{"groovy", []mark{{"plugins {", "", false}, {"id '", "", true}}},
	{"groovy", []mark{{"implementation '", "'", true}}},
	{"groovy", []mark{{"testImplementation '", "'", true}}},
	{"groovy", []mark{{"apply plugin: '", "'", false}}},
	{"groovy", []mark{{"import groovy.", "", false}}},
	{"groovy", []mark{{"@Grab(", ")", false}}},
	{"systemd", []mark{{"[Unit]", "", false}, {"Description=", "", false}}},
	{"systemd", []mark{{"[Service]", "", false}, {"ExecStart=", "", false}}},
	{"systemd", []mark{{"[Install]", "", false}, {"WantedBy=", "", false}}},
	{"systemd", []mark{{"[Timer]", "", false}, {"On", "", false}}},
	{"systemd", []mark{{"[Socket]", "", false}, {"ListenStream=", "", false}}},
	{"vue", []mark{{"<script setup", ">", false}}},
	{"vue", []mark{{"<template>", "", false}, {"<script", ">", false}}},
}

// fromMarks returns the language of the first row whose marks code has all, or
// "".
func fromMarks(code string) string {
	var found [len(marked)]uint8
	for line := range strings.SplitSeq(code, "\n") {
		line = strings.TrimRight(line, " \t\r")
		inner := strings.TrimLeft(line, " \t")
		if inner == "" {
			continue
		}
		for r := range marked {
			for m, mark := range marked[r].marks {
				if mark.on(line, inner) {
					found[r] |= 1 << m
				}
			}
		}
	}
	for r := range marked {
		if found[r] == 1<<len(marked[r].marks)-1 {
			return marked[r].language
		}
	}
	return ""
}

// on reports whether a line has the mark; inner is the line without the blanks
// before it.
func (m mark) on(line, inner string) bool {
	if m.inner {
		line = inner
	}
	return strings.HasPrefix(line, m.prefix) && strings.HasSuffix(line, m.suffix)
}
