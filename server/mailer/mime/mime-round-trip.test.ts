import { spawnSync } from 'node:child_process'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { messageContent } from '../../../tests/support/message-content.ts'
import { compileMessage } from './mime.ts'

/** The result of Python's email package for a mail, in strict mode. */
const script = `
import sys, json
from email import message_from_binary_file, policy
m = message_from_binary_file(sys.stdin.buffer, policy=policy.default)
part = lambda kind: (lambda p: None if p is None else p.get_content())(m.get_body((kind,)))
json.dump({
  'subject': m['subject'], 'from': str(m['from']), 'to': str(m['to']), 'id': m['message-id'],
  'unsubscribe': m['list-unsubscribe'], 'post': m['list-unsubscribe-post'],
  'html': part('html'), 'text': part('plain'), 'date': m['date'].datetime.isoformat(),
  'defects': [str(d) for p in m.walk() for d in p.defects] + [str(d) for h in m.values() for d in getattr(h, 'defects', [])],
}, sys.stdout)
`
const hasPython = spawnSync('python3', ['-c', 'import email.policy']).status === 0
const readByPython = (mail: Buffer) =>
  JSON.parse(spawnSync('python3', ['-c', script], { input: mail }).stdout.toString()) as Record<string, unknown>

const long = 'Ein ganz langer Absatz über Äpfel & Öl. '.repeat(60)
const cases: [what: string, content: string, subject: string][] = [
  ['plain ASCII', '<p>Hello {{name}}.</p>', 'Hi {{name}}'],
  ['umlauts, emoji and CJK', `<h1>Grüße 🎉</h1><p>日本語 {{name}} ${long}</p>`, 'Grüße an {{name}} 🎉 日本語'],
  [
    'dots, From and trailing blanks at line ends',
    '<pre>.\n..\nFrom me \nto you\t\n.{{name}}</pre>',
    '.Dots. =?utf-8?Q?x?=',
  ],
  ['one line of 20,000 characters', `<p>${'x'.repeat(20_000)}{{name}}${'y'.repeat(20_000)}</p>`, 'x'.repeat(300)],
]

describe('a parsed mail equals its source', () => {
  const build = (content: string, subject: string) =>
    compileMessage(
      messageContent({
        content,
        subject,
        context: { name: 'Zoë <b>& Söhne' },
        extraHeaders: [
          { name: 'List-Unsubscribe', value: `<https://mail.example.com/u/${'t'.repeat(200)}?a={{token}}>` },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ],
      }),
    ).build({ id: 7, recipient: 'bob@example.com', context: { token: 'a&b' } }, new Date('2026-01-02T03:04:05Z'))

  it.each(cases)('by mailparser: %s', async (_what, content, subject) => {
    const mail = await simpleParser(build(content, subject).bytes)
    expect(mail.subject).toBe(subject.replace('{{name}}', 'Zoë <b>& Söhne'))
    expect((mail.html || '').trim()).toBe(content.replace('{{name}}', 'Zoë &lt;b&gt;&amp; Söhne').trim())
    expect(mail.text).toContain('Zoë <b>& Söhne')
    expect(mail.headers.get('list')).toMatchObject({
      unsubscribe: { url: `https://mail.example.com/u/${'t'.repeat(200)}?a=a&b` },
    })
  })

  it.skipIf(!hasPython).each(cases)('by Python’s email package, without a defect: %s', (_what, content, subject) => {
    const mail = readByPython(build(content, subject).bytes)
    expect(mail).toMatchObject({
      subject: subject.replace('{{name}}', 'Zoë <b>& Söhne'),
      from: 'ann@example.com',
      to: 'bob@example.com',
      id: '<0190a1b2.7@example.com>',
      date: '2026-01-02T03:04:05+00:00',
      unsubscribe: `<https://mail.example.com/u/${'t'.repeat(200)}?a=a&b>`,
      post: 'List-Unsubscribe=One-Click',
      defects: [],
    })
    expect(String(mail['html']).trim()).toBe(content.replace('{{name}}', 'Zoë &lt;b&gt;&amp; Söhne').trim())
    expect(mail['text']).toContain('Zoë <b>& Söhne')
  })
})
