import { expect, it } from 'vitest'
import { filledBody } from './template-preview.ts'

const sample = { name: 'Imani <3', place: 'Hall' }

it.each([
  ['<p>{{name}} in {{place}}</p>', '<p>Imani &lt;3 in Hall</p>'],
  ['<p>{{name}} in {{pl</p>', '<p>Imani &lt;3 in {{pl</p>'],
])('a preview of %j with a sample is %j', (body, filled) => {
  expect(filledBody({ body, sample })).toBe(filled)
})

it('a preview without a sample is the mail of a recipient without values', () => {
  expect(filledBody({ body: '<p>{{name}}</p>', sample: {} })).toBe('<p></p>')
})
