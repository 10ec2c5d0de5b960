import { describe, expect, it } from 'vitest'
import { campaignMail } from './campaign-mail.ts'

const sender = { postalAddress: ' 1 Main Street \n\n Springfield ', publicUrl: 'https://mail.example.com' }
const mailOf = (body: string) => campaignMail({ subject: 'News', body, context: {} }, sender)

describe('the footer of a campaign', () => {
  it('contains the link that the body has only in a comment', () => {
    const link = '<a href="{{unsubscribe_url}}">Leave</a>'
    expect(mailOf(`<p>${link}</p>`).content).not.toContain('Unsubscribe')
    expect(mailOf(`<!-- ${link} --><p>x</p>`).content).toContain('Unsubscribe')
    expect(mailOf(`<p>x</p><!-- ${link}`).content).toContain('Unsubscribe')
  })

  it('contains the postal address in one line as a value', () => {
    expect(mailOf('x').context).toMatchObject({ postal_address: '1 Main Street, Springfield' })
  })

  it('is found in linear time in 1 MB of unclosed comments', () => {
    const start = process.threadCpuUsage()
    mailOf('<!--'.repeat(250_000))
    // Quadratic time would be a minute.
    expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000)
  })
})
