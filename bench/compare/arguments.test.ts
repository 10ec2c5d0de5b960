import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

describe('the words after npm run bench -- compare', () => {
  it('are a commit and a bench, with three pairs and a text for people by default', () => {
    expect(readArguments(['HEAD~3', 'engine'])).toEqual({
      commit: 'HEAD~3',
      bench: 'engine',
      pairCount: 3,
      isJson: false,
    })
  })

  it.each([[['--pairs=50']], [['--pairs', '50']]])('name the number of pairs: %j', (words) => {
    expect(readArguments(['main', ...words, 'engine', '--json'])).toEqual({
      commit: 'main',
      bench: 'engine',
      pairCount: 50,
      isJson: true,
    })
  })

  it.each([
    [[], /^Name a commit and a bench: npm run bench -- compare <commit> <bench>/],
    [['HEAD~3'], /^Name a commit and a bench/],
    [['HEAD~3', 'engine', 'accept'], /not also accept/],
    [['HEAD~3', 'engine', '--fast'], /^Unknown option --fast: compare has --pairs and --json\.$/],
    [['-x', 'engine'], /^Unknown option -x/],
    [['HEAD~3', 'engine', '--pairs=2'], /^--pairs must be a whole number from 3 to 50, for example --pairs=5\.$/],
    [['HEAD~3', 'engine', '--pairs=51'], /^--pairs must be/],
    [['HEAD~3', 'engine', '--pairs=3.5'], /^--pairs must be/],
    [['HEAD~3', 'engine', '--pairs=many'], /^--pairs must be/],
    [['HEAD~3', 'engine', '--pairs='], /^--pairs must be/],
    [['HEAD~3', 'engine', '--pairs'], /^--pairs must be/],
  ])('are refused in one line with the remedy: %j', (words, message) => {
    expect(() => readArguments(words)).toThrow(message)
    expect(() => readArguments(words)).toThrow(/^[^\n]+$/)
  })
})
