import { afterEach, describe, expect, it } from 'vitest'
import { simpleParser } from 'mailparser'
import { messageContent } from '../../../tests/support/message-content.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { BuildError, isLarge, compileLargeMessage } from './large-mail.ts'
import { compileMessage } from './mime.ts'
import { createTextPool, TextTimeoutError, type TextPool } from './text-pool.ts'
import { UnbuildableError } from './unbuildable-error.ts'

const pools: TextPool[] = []
const poolOf = (threadsCount: number) => {
  const pool = createTextPool(threadsCount)
  pools.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

const date = new Date('2026-01-02T03:04:05Z')
const paragraph =
  '<p>Dear {{name | default: "reader"}}, <a href="{{unsubscribe_url}}">leave</a> &amp; <b>write</b>.</p>\n'
const large = messageContent({
  content: paragraph.repeat(1500),
  isHtml: true,
  subject: 'For {{name}}',
  context: { name: 'all' },
})
const mail = { id: 7, recipient: 'bob@example.com', context: { name: 'Bob & “Co”' } }
const variables = { unsubscribe_url: () => 'https://mail.example.com/unsubscribe/x' }
const ports = (pool: TextPool, textLimitMs?: number) => ({
  pool,
  log: silentLog,
  newId: () => crypto.randomUUID(),
  ...(textLimitMs !== undefined && { textLimitMs }),
})
/** Its conversion with layout takes minutes. */
const endless = '<p>'.repeat(4900) + '<b>x</p>'.repeat(100_000)

describe('a large mail', () => {
  it('is one above 100 kB, also because of its variables', () => {
    expect(isLarge(messageContent({ content: 'x'.repeat(99_000) }))).toBe(false)
    expect(isLarge(messageContent({ content: 'x'.repeat(101_000) }))).toBe(true)
    expect(isLarge(messageContent({ content: '{{a}}'.repeat(20), context: { a: 'x'.repeat(10_000) } }))).toBe(true)
    expect(isLarge(messageContent({ content: '{{a}}'.repeat(20), context: { a: 'x' } }))).toBe(false)
  })

  it('equals one built in this thread, for each recipient', async () => {
    const template = compileLargeMessage(large, variables, ports(poolOf(1), 60_000))
    const here = compileMessage(large, variables)
    for (const given of [mail, { ...mail, id: 8, context: null }]) {
      const built = await template.build(given, date)
      expect(built.bytes.equals(here.build(given, date).bytes)).toBe(true)
      expect(built.isWireReady).toBe(true)
    }
  })

  it('whose variables make it small for a recipient equals it too', async () => {
    const message = messageContent({ content: '<p>{{story}}</p>'.repeat(100), isHtml: true })
    const template = compileLargeMessage(message, variables, ports(poolOf(1), 60_000))
    const here = compileMessage(message, variables)
    for (const context of [null, { story: 'x' }, { story: 'x'.repeat(10_000) }]) {
      const built = await template.build({ ...mail, context }, date)
      expect(built.bytes.equals(here.build({ ...mail, context }, date).bytes)).toBe(true)
    }
  })

  it('whose HTML exceeds the time limit has a text part without layout', async () => {
    const template = compileLargeMessage(messageContent({ content: endless, isHtml: true }), {}, ports(poolOf(1), 100))
    const { bytes } = await template.build(mail, date)
    const { text, html } = await simpleParser(bytes)
    expect(text?.match(/x/g)).toHaveLength(100_000)
    expect(html).toContain('<p><p>')
  })

  it('keeps the addresses of its links where its text part has no layout', async () => {
    const links = '<a class="x" href="{{unsubscribe_url}}">Leave</a> <A HREF=\'https://example.com/?a&amp;b\'>Shop</A>'
    const content = `${links}<a href="#top">Top</a> <a name="top">Start</a>${endless}`
    const template = compileLargeMessage(messageContent({ content, isHtml: true }), variables, ports(poolOf(1), 100))
    const { text } = await simpleParser((await template.build(mail, date)).bytes)
    const expected = ['Leave', `<${variables.unsubscribe_url()}>`, 'Shop', '<https://example.com/?a&b>', 'Top', 'Start']
    expect(text?.split('\n').slice(0, 7)).toEqual([...expected, 'x'])
  })

  it('that cannot be built reports the reason only if it is meant for its sender', async () => {
    const pool = poolOf(1)
    const amplified = messageContent({ content: '{{a}}'.repeat(20_000), context: { a: 'x'.repeat(10_000) } })
    await expect(compileLargeMessage(amplified, {}, ports(pool)).build(mail, date)).rejects.toThrow(UnbuildableError)
    const unread = messageContent({ content: `${'x'.repeat(100_001)}{{` })
    await expect(compileLargeMessage(unread, {}, ports(pool)).build(mail, date)).rejects.toThrow(BuildError)
    expect((await compileLargeMessage(large, variables, ports(pool)).build(mail, date)).bytes.length).toBeGreaterThan(
      100_000,
    )
  })
})

describe('text threads', () => {
  const quick = { kind: 'text', content: '<p>x</p>', isPlain: false } as const

  it('serve workspaces in turn, under any load of one of them', async () => {
    const pool = poolOf(1)
    const ended: string[] = []
    const run = (workspaceId: string, name: string) => pool.run(workspaceId, quick, 30_000).then(() => ended.push(name))
    await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1'), run('b', 'b2')])
    expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('abort a task after its timeout, and continue with the next', async () => {
    const pool = poolOf(1)
    const slow = pool.run('a', { kind: 'text', content: endless, isPlain: false }, 100)
    const next = pool.run('a', quick, 30_000)
    await expect(slow).rejects.toThrow(TextTimeoutError)
    expect(await next).toEqual({ kind: 'text', textJson: '["x"]' })
  })

  it('reject a task that cannot be cloned, and continue with the next', async () => {
    const pool = poolOf(1)
    const content = (() => 'x') as unknown as string
    const uncopied = pool.run('a', { kind: 'text', content, isPlain: false }, 600_000)
    const next = pool.run('a', quick, 30_000)
    await expect(uncopied).rejects.toThrow('could not be cloned')
    expect(await next).toEqual({ kind: 'text', textJson: '["x"]' })
  })

  it('reject open and new tasks after close', async () => {
    const pool = poolOf(1)
    const under = pool.run('a', { kind: 'text', content: endless, isPlain: false }, 30_000)
    const waiting = pool.run('a', quick, 30_000)
    const refused = [expect(under).rejects.toThrow('terminated'), expect(waiting).rejects.toThrow('terminated')]
    await pool.close()
    await Promise.all(refused)
    await expect(pool.run('a', quick, 1000)).rejects.toThrow('terminated')
  })
})
