import { expect, it } from 'vitest'
import { readChoices } from './preferences.ts'

it('a topic has a number of up to 18 digits', () => {
  const topics = ['1', '9'.repeat(18), '9'.repeat(19), 'x', ''].map((id) => ['topic', id])
  expect(readChoices(new URLSearchParams(topics)).topicIds).toEqual(['1', '9'.repeat(18)])
})

it.each([
  ['0', 0],
  ['30', 30],
  ['31', null],
  ['60', 60],
  ['90', 90],
  ['91', null],
])('a pause of %s days is read as %s', (pause, days) => {
  expect(readChoices(new URLSearchParams({ pause })).pauseDays).toBe(days)
})
