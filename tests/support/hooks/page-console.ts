import processConsole from 'node:console'

// The simulated page is made before Vitest replaces `console`, and would print refused connections and failed answers at once.
// They belong to the test that runs, whose output is shown if it fails.
for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const) {
  processConsole[name] = (...values: unknown[]) => globalThis.console[name](...values)
}
