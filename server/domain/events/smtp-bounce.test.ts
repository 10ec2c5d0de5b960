import { describe, expect, it } from 'vitest'
import { bounceOfReply } from './smtp-bounce.ts'

describe('a refusal of the mail server', () => {
  it('is kept up to 1,000 characters', () => {
    const reply = (chars: number) => '550 5.1.1 no '.padEnd(chars, 'x')
    expect(bounceOfReply(reply(1000)).words).toBe(reply(1000))
    expect(bounceOfReply(reply(1001)).words).toBe(reply(1000))
  })

  it.each([
    ['550 5.1.1 No', '5.1.1'],
    ['550-5.123.123 No', '5.123.123'],
    ['550 5.1234.1 No', undefined],
    ['550 5.1.1234 No', undefined],
    ['5500 5.1.1 No', undefined],
    ['450 4.1.1 No', undefined],
  ])('“%s” has the status %s', (reply, status) => {
    expect(bounceOfReply(reply).status).toBe(status)
  })
})
