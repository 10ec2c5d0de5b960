import { describe, expect, it } from 'vitest'
import { findInDns, type DnsReader } from './dns-rules.ts'
import { readMail } from './mail-facts.ts'
import { findInMessage, scoreOf, type CheckedMail } from './message-rules.ts'

const words =
  'We open the doors on Thursday at six in the evening, with music, bread and a tour of the new studio for everybody.'
const good = `<p>Dear reader,</p><p>${words}</p><p><a href="https://northwind.se/open">Read the programme</a></p>`
const check = (body: string, more: { subject?: string; kind?: CheckedMail['kind']; unfilled?: string[] } = {}) =>
  findInMessage({
    ...readMail(more.subject ?? 'Doors open Thursday', body),
    kind: more.kind ?? 'personal',
    unfilled: more.unfilled ?? [],
  })
const rulesOf = (...given: Parameters<typeof check>) => check(...given).map(({ rule }) => rule)

describe('the message', () => {
  it.each<[row: string, rule: string, body: string, more?: Parameters<typeof check>[1]]>([
    [
      'CHECK-03 The check reports merge variables that some recipients have no value for.',
      'variable_unfilled',
      good,
      { unfilled: ['plan'] },
    ],
    ['CHECK-04 a link to http', 'link_insecure', good.replace('https:', 'http:')],
    ['CHECK-05 The check reports a shortened link', 'link_shortened', good.replace('northwind.se/open', 'bit.ly/3x')],
    [
      'CHECK-05 a link whose visible address differs from its target',
      'link_mismatch',
      `${good}<a href="https://evil.se/x">www.bank.se</a>`,
    ],
    [
      'CHECK-06 The check reports images without alternative text',
      'alt_missing',
      `${good}<img src="https://northwind.se/a.png">`,
    ],
    [
      'CHECK-07 The check reports text whose contrast with its background is too low.',
      'contrast_low',
      `${good}<div style="background:#fff"><p style="color:#ccc">Small print</p></div>`,
    ],
    [
      'CHECK-08 The check reports a mail whose size is above the limit at which Gmail clips it.',
      'size_clipped',
      good.repeat(500),
    ],
    [
      'CHECK-09 The check reports a missing text part.',
      'text_missing',
      '<img src="https://northwind.se/a.png" alt="Poster">',
    ],
    [
      'CHECK-10 The check reports a bulk message without an unsubscribe link.',
      'unsubscribe_missing',
      good,
      { kind: 'bulk' },
    ],
    ['CHECK-11 words that spam filters punish', 'phrase_act_now', `${good}<p>Act now!</p>`],
    ['CHECK-11 forms that spam filters punish', 'subject_capitals', good, { subject: 'DOORS OPEN THURSDAY' }],
    ['a form', 'element_form', `${good}<form action="https://northwind.se"><input name="a"></form>`],
    ['a script', 'element_script', `${good}<script>1</script>`],
    ['hidden text', 'text_hidden', `${good}<p style="color:#ffffff">cheap loans</p>`],
    ['a link of numbers', 'link_number', `${good}<a href="https://203.0.113.9/x">Here</a>`],
    ['a link to example.com', 'link_example', `${good}<a href="https://example.com">Button</a>`],
  ])('%s', (_row, rule, body, more) => {
    const found = check(body, more)
    expect(found.map((finding) => finding.rule)).toContain(rule)
    // CHECK-02: each has a sentence with a remedy.
    for (const { sentence, remedy } of found)
      expect([sentence, remedy].every((text) => /[.:}]$/.test(text) && text.length > 10)).toBe(true)
  })

  it('CHECK-06 the finding leads to the image: it holds its address', () => {
    expect(
      check(`${good}<img src="https://northwind.se/a.png"><img src="b.png" alt="">`).map(({ place }) => place),
    ).toEqual(['https://northwind.se/a.png'])
  })

  it('reports nothing of a correct mail, and scores it 100', () => {
    for (const body of [
      good,
      `${good}<img src="https://northwind.se/a.png" alt="Poster">`,
      `<html><head><style>p{color:#eee}</style></head><body>${good}</body></html>`,
      `<div style="display:none;color:#fff">Preheader</div>${good}`,
      `${good}<a href="https://www.northwind.se">northwind.se</a>`,
    ]) {
      expect(check(body)).toEqual([])
      expect(scoreOf(check(body))).toBe(100)
    }
    expect(rulesOf(`${good}<a href="{{unsubscribe_url}}">Unsubscribe</a>`, { kind: 'bulk' })).toEqual([])
  })

  it('is read in linear time', () => {
    const start = process.threadCpuUsage()
    for (const hostile of [
      '<b>'.repeat(200_000),
      '<a href="'.repeat(50_000),
      'a.'.repeat(300_000),
      `<a href="https://x.se">${'a.'.repeat(200_000)}</a>`,
    ])
      check(hostile)
    // Microseconds of this thread: other work of the machine does not count.
    expect(process.threadCpuUsage(start).user).toBeLessThan(5_000_000)
  })
})

const records: Readonly<Record<string, string[]>> = {
  'northwind.se': ['v=spf1 include:_spf.mail.se ~all', 'other=1'],
  '_spf.mail.se': ['v=spf1 ip4:203.0.113.0/24 -all'],
  '_dmarc.northwind.se': ['v=DMARC1; p=quarantine'],
}
const dnsOf = (changes: Readonly<Record<string, string[]>> = {}, hosts = ['mx.mail.se']): DnsReader => ({
  txt: (name) => Promise.resolve({ ...records, ...changes }[name] ?? []),
  mx: () => Promise.resolve(hosts),
})
const dnsErrors = async (dns: DnsReader, domain = 'northwind.se') =>
  (await findInDns(domain, dns)).filter(({ severity }) => severity === 'error').map(({ rule }) => rule)

describe('the DNS of the sender’s domain', () => {
  it('CHECK-12 The check reports a sender’s domain without SPF, or with an SPF record of more than ten look-ups.', async () => {
    expect(await dnsErrors(dnsOf({ 'northwind.se': [] }))).toEqual(['spf_missing'])
    expect(await dnsErrors(dnsOf({ 'northwind.se': ['v=spf1 -all', 'v=spf1 ~all'] }))).toEqual(['spf_several'])
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, no) => [`s${no}.se`, [`v=spf1 include:s${no + 1}.se -all`]]),
    )
    expect(await dnsErrors(dnsOf({ ...many, 'northwind.se': ['v=spf1 include:s0.se -all'] }))).toEqual(['spf_lookups'])
    expect(await dnsErrors(dnsOf({ 'northwind.se': ['v=spf1 include:northwind.se -all'] }))).toEqual([])
    // Ten look-ups are allowed, and an eleventh is one too many: of one record, or of a record with its includes.
    const hosts = (count: number) => Array.from({ length: count }, (_, no) => `a:h${no}.northwind.se`).join(' ')
    const spfErrors = (own: string, included: string) =>
      dnsErrors(dnsOf({ 'northwind.se': [`v=spf1 ${own} -all`], '_spf.mail.se': [`v=spf1 ${included} -all`] }))
    expect(await spfErrors(hosts(10), '')).toEqual([])
    expect(await spfErrors(hosts(11), '')).toEqual(['spf_lookups'])
    expect(await spfErrors('include:_spf.mail.se mx', hosts(8))).toEqual([])
    expect(await spfErrors('include:_spf.mail.se mx', hosts(9))).toEqual(['spf_lookups'])
    expect(await dnsErrors(dnsOf({ 'northwind.se': ['v=spf1 +all'] }))).toEqual(['spf_open'])
  })

  it('CHECK-13 The check says of DKIM of the sender’s domain that only the self-test can tell.', async () => {
    const found = await findInDns('northwind.se', dnsOf())
    expect(found.find(({ rule }) => rule === 'dkim_unknown')?.sentence).toContain('only the self-test can tell')
  })

  it('CHECK-14 The check reports a sender’s domain without a DMARC policy.', async () => {
    expect(await dnsErrors(dnsOf({ '_dmarc.northwind.se': [] }))).toEqual(['dmarc_missing'])
    // The policy of the parent domain holds for its subdomains.
    expect(await dnsErrors(dnsOf({ 'news.northwind.se': ['v=spf1 -all'] }), 'news.northwind.se')).toEqual([])
  })

  it('CHECK-15 The check reports a sender’s domain without MX.', async () => {
    expect(await dnsErrors(dnsOf({}, []))).toEqual(['mx_missing'])
    expect(await dnsErrors(dnsOf({}, ['']))).toEqual(['mx_missing'])
  })

  it('CHECK-19 A check of a correct mail from a correct domain reports no error.', async () => {
    expect(await dnsErrors(dnsOf())).toEqual([])
    expect(check(good)).toEqual([])
  })
})
