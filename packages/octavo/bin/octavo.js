#!/usr/bin/env -S node --max-semi-space-size=8
// The command of @octavo/cli, which says why it runs with that flag.
await import(new URL('../bin/octavo.js', import.meta.resolve('@octavo/cli')).href)
