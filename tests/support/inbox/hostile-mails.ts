const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')
/** Every one claims to be a bounce, so that its source is read. */
const head = (fields: string) =>
  `Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nSubject: Undeliverable\n${fields}`

/** Mails that try to break a reader, each of at most a few MB. */
export function hostileMails(): { name: string; source: Buffer }[] {
  const levels = Array.from(
    { length: 1000 },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`,
  )
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\n\n'
  const reportInReport = Array.from({ length: 50 }, () => `--r\n${report}`).join('')
  const bad: [string, string][] = [
    ['1,000 levels of nesting', head(`${levels.join('')}Content-Type: text/plain\n\nEnd\n`)],
    ['10,000 parts', head(`Content-Type: multipart/mixed; boundary="b"\n\n${'--b\n\nx\n'.repeat(10_000)}--b--\n`)],
    ['a boundary that never comes', head(`Content-Type: multipart/mixed; boundary="none"\n\n${'x\n'.repeat(50_000)}`)],
    ['a boundary of nothing', head(`Content-Type: multipart/mixed; boundary=""\n\n${'--\n'.repeat(50_000)}`)],
    ['a header line of 1 MB', head(`X-Long: ${'x'.repeat(1024 * 1024)}\n\nText\n`)],
    ['100,000 header lines', head(`${'X-A: b\n'.repeat(100_000)}\nText\n`)],
    ['a field folded over 20,000 lines', head(`X-Folded: a\n${' b\n'.repeat(20_000)}\nText\n`)],
    ['NUL bytes', head(`Content-Type: text/plain\n\n${'\0'.repeat(100_000)}`)],
    ['base64 that never ends', head(`Content-Transfer-Encoding: base64\n\n${'QUFB'.repeat(500_000)}`)],
    [
      'quoted-printable without an end',
      head(`Content-Transfer-Encoding: quoted-printable\n\n${'=\n'.repeat(100_000)}`),
    ],
    ['an unknown charset', head(`Content-Type: text/plain; charset="x-no-such-${'y'.repeat(10_000)}"\n\n\xff\xfe\n`)],
    ['UTF-7', head('Content-Type: text/plain; charset=utf-7\n\n+ADw-script+AD4-\n')],
    ['invalid UTF-8', head(`Content-Type: text/plain; charset=utf-8\n\n${'\xc3\x28\xff'.repeat(20_000)}`)],
    ['encoded words without an end', head(`Subject: ${'=?utf-8?B?'.repeat(2000)}\n\nText\n`)],
    ['HTML of open brackets', head(`Content-Type: text/html\n\n${'<'.repeat(60_000)}`)],
    ['HTML of unclosed entities', head(`Content-Type: text/html\n\n${'&#x'.repeat(20_000)}`)],
    ['a report inside reports', head(`${report}${reportInReport}--r--\n`)],
    [
      'a report of 100,000 recipients',
      head(
        `${report}--r\nContent-Type: message/delivery-status\n\n${'Final-Recipient: rfc822; a@b.example\nAction: failed\n\n'.repeat(100_000)}--r--\n`,
      ),
    ],
    ['addresses without an end', head(`Content-Type: text/plain\n\n${'a@'.repeat(30_000)}`)],
    ['words for slow patterns', head(`Content-Type: text/plain\n\n${'recipient mailbox '.repeat(4000)}`)],
    ['no empty line', head('X-Only: header')],
    ['nothing', ''],
  ]
  return bad.map(([name, text]) => ({ name, source: crlf(text) }))
}
