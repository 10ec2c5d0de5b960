import { describe, expect, it } from 'vitest'
import { readTemplate } from '../mail/merge-variables.ts'

describe('texts that once took the square of their length', () => {
  // Each took between one second and minutes; linear work takes milliseconds.
  const chars = 1_000_000
  const fill = (piece: string) => piece.repeat(Math.ceil(chars / piece.length))
  const withinSeconds = (work: () => unknown) => {
    // CPU time: other programs on the machine do not count.
    const start = process.threadCpuUsage()
    work()
    expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000)
  }

  it.each([
    ['openings after variables', fill('{{a}} {{')],
    ['openings before one end with blanks', `${fill('{{ ')}${fill(' ')}}}`],
    ['triple openings without an end', fill('{{{a}} ')],
    ['defaults without an end', fill('{{a | default: "x')],
    ['conditions that compare without an end', fill('{{#if a == "x')],
    ['blanks in conditions', fill(`{{#if${' '.repeat(1000)}`)],
    ['pairs of conditions', fill('{{#if a}}{{else}}{{/if}}')],
    ['blanks behind names', fill(`{{a${' '.repeat(1000)}b}} `)],
  ])('are read as templates: %s', (_what, text) => {
    withinSeconds(() => readTemplate(text, () => undefined))
  })
})
