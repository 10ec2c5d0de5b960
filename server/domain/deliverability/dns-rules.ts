import type { Finding } from '../../../contract/checks/deliverability.ts'

/** Look-ups of the name servers; empty without a record. Rejects where no name server answers. */
export interface DnsReader {
  txt: (name: string) => Promise<string[]>
  mx: (name: string) => Promise<string[]>
}

const lookupsMaxCount = 10

const finding = (
  rule: string,
  severity: Finding['severity'],
  sentence: string,
  remedy: string,
  place: string,
): Finding => ({
  rule,
  severity,
  sentence,
  remedy,
  place,
})

/** SPF, DKIM, DMARC, MX, MTA-STS and BIMI of a sender's domain. Rejects where the name servers do not answer. */
export async function findInDns(domain: string, dns: DnsReader): Promise<Finding[]> {
  const [spf, dmarc, mx, sts, bimi] = await Promise.all([
    checkSpf(domain, dns),
    checkDmarc(domain, dns),
    checkMx(domain, dns),
    dns.txt(`_mta-sts.${domain}`),
    dns.txt(`default._bimi.${domain}`),
  ])
  return [
    ...spf,
    finding(
      'dkim_unknown',
      'info',
      `Whether mail of ${domain} is signed by DKIM, only the self-test can tell.`,
      'Switch DKIM on at your mail provider; the self-test shows the result.',
      domain,
    ),
    ...dmarc,
    ...mx,
    ...(sts.some((text) => /^v=STSv1\b/.test(text))
      ? []
      : [
          finding(
            'mta_sts_missing',
            'info',
            `${domain} has no MTA-STS policy.`,
            'Optional: publish one, so that mail to you is always encrypted.',
            domain,
          ),
        ]),
    ...(bimi.some((text) => /^v=BIMI1\b/.test(text))
      ? []
      : [
          finding(
            'bimi_missing',
            'info',
            `${domain} has no BIMI record.`,
            'Optional: publish one to show your logo beside mails.',
            domain,
          ),
        ]),
  ]
}

async function checkSpf(domain: string, dns: DnsReader): Promise<Finding[]> {
  const records = (await dns.txt(domain)).filter(isSpf)
  if (records.length === 0)
    return [
      finding(
        'spf_missing',
        'error',
        `${domain} has no SPF record.`,
        'Publish a TXT record such as “v=spf1 include:_spf.google.com ~all”, with the include of your mail provider.',
        domain,
      ),
    ]
  if (records.length > 1)
    return [
      finding(
        'spf_several',
        'error',
        `${domain} has several SPF records, so none counts.`,
        'Merge them into one record.',
        domain,
      ),
    ]
  const found: Finding[] = []
  if (/\s\+?all\b/i.test(records[0] ?? ''))
    found.push(
      finding(
        'spf_open',
        'error',
        `The SPF record of ${domain} allows every server to send.`,
        'End it with “~all” or “-all”.',
        domain,
      ),
    )
  if (
    (await countLookups(records[0] ?? '', dns, { left: lookupsMaxCount + 1, seen: new Set([domain]) })) >
    lookupsMaxCount
  )
    found.push(
      finding(
        'spf_lookups',
        'error',
        `The SPF record of ${domain} needs more than 10 look-ups, so receivers ignore it.`,
        'Remove includes that you do not use.',
        domain,
      ),
    )
  return found
}

const isSpf = (text: string) => /^v=spf1(?:\s|$)/i.test(text)

/** Look-ups of a record with its includes (RFC 7208 §4.6.4); stops above the limit. */
async function countLookups(
  record: string,
  dns: DnsReader,
  bounds: { left: number; seen: Set<string> },
): Promise<number> {
  let count = 0
  for (const term of record.split(/\s+/).slice(1)) {
    const [, kind = '', target = ''] =
      /^[+?~-]?(include|a|mx|ptr|exists|redirect)(?=[:=/]|$)(?:[:=]([^\s/]+))?/i.exec(term) ?? []
    if (kind === '') continue
    count += 1
    bounds.left -= 1
    if (bounds.left < 0) return count
    if (!/^(?:include|redirect)$/i.test(kind) || target === '' || bounds.seen.has(target)) continue
    bounds.seen.add(target)
    const inner = (await dns.txt(target)).find(isSpf)
    if (inner !== undefined) count += await countLookups(inner, dns, bounds)
  }
  return count
}

async function checkDmarc(domain: string, dns: DnsReader): Promise<Finding[]> {
  const parent = domain.split('.').slice(-2).join('.')
  const own = (await dns.txt(`_dmarc.${domain}`)).find((text) => /^v=DMARC1\b/i.test(text))
  const record =
    own ??
    (parent === domain ? undefined : (await dns.txt(`_dmarc.${parent}`)).find((text) => /^v=DMARC1\b/i.test(text)))
  if (record === undefined)
    return [
      finding(
        'dmarc_missing',
        'error',
        `${domain} has no DMARC policy, which Gmail and Yahoo require of senders.`,
        `Publish a TXT record at _dmarc.${domain}: “v=DMARC1; p=none; rua=mailto:you@${domain}”.`,
        domain,
      ),
    ]
  if (/;\s*p\s*=\s*none\b/i.test(record))
    return [
      finding(
        'dmarc_none',
        'info',
        `The DMARC policy of ${domain} only watches (p=none).`,
        'Change it to p=quarantine once the reports are clean.',
        domain,
      ),
    ]
  return []
}

async function checkMx(domain: string, dns: DnsReader): Promise<Finding[]> {
  const hosts = await dns.mx(domain)
  if (hosts.length > 0 && !hosts.every((host) => host === '' || host === '.')) return []
  return [
    finding(
      'mx_missing',
      'error',
      `${domain} has no mail server (MX), so replies and bounces are lost.`,
      'Publish an MX record with the server of your mail provider.',
      domain,
    ),
  ]
}
