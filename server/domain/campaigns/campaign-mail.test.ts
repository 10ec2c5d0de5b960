import { describe, expect, it } from 'vitest'
import { campaignMail } from './campaign-mail.ts'

const sender = { postalAddress: ' 1 Main Street \n\n Springfield ', publicUrl: 'https://mail.example.com' }
const mailOf = (body: string) => campaignMail({ subject: 'News', body, context: {} }, sender)

describe('the foot of a campaign', () => {
  it('holds the link that the body shows in a comment only', () => {
    const link = '<a href="{{unsubscribe_url}}">Leave</a>'
    expect(mailOf(`<p>${link}</p>`).content).not.toContain('Unsubscribe')
    expect(mailOf(`<!-- ${link} --><p>x</p>`).content).toContain('Unsubscribe')
    expect(mailOf(`<p>x</p><!-- ${link}`).content).toContain('Unsubscribe')
  })

  it('has the postal address in one line as a value', () => {
    expect(mailOf('x').context).toMatchObject({ postal_address: '1 Main Street, Springfield' })
  })

  it('is found in 1 MB of comments that never close, without looking for each end', () => {
    const startMs = performance.now()
    mailOf('<!--'.repeat(250_000))
    // The square of that length took a minute.
    expect(performance.now() - startMs).toBeLessThan(3000)
  })
})
