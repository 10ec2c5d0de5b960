import { beforeAll, describe, expect, it } from 'vitest'
import type { Design } from '../../../contract/design/design.ts'
import type { Template, TemplateVersion } from '../../../contract/mail/template.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, body })
const save = (template: object) => call('POST', '/email/template', { subject: 'News', ...template })
const saved = async (template: object) => (await save(template)).body as Template
const change = (id: string, changes: object) => call('PATCH', `/email/template/${id}`, changes)
const versionsOf = async (id: string) => (await call('GET', `/email/template/${id}/versions`)).body as TemplateVersion[]
const restore = (id: string, revision: number) => call('POST', `/email/template/${id}/versions/${revision}/restore`)

const letter = sampleDesign([sampleRow([textBlock('a', 'Dear friend')])], { layout: 'letter' })
const page = (text: string, changes: Partial<Design> = {}) =>
  sampleDesign([sampleRow([textBlock('a', text)])], { preheader: 'In short', ...changes })

describe('a template with a design', () => {
  it('CANVAS-28 has the body that the server rendered from it', async () => {
    const template = await saved({ design: page('Hello') })
    expect(template).toMatchObject({ mode: 'design', preheader: 'In short', design: page('Hello'), revision: 1 })
    expect(template.body).toBe(bodyOf(page('Hello')))
    expect((await call('GET', `/email/template/${template.id}`)).body).toEqual(template)
    expect((await saved({ design: letter })).mode).toBe('text')
  })

  it('is in lists without its design', async () => {
    await saved({ design: page('Hello') })
    const [first] = (await call('GET', '/email/templates?limit=1')).body as Template[]
    expect(first).toMatchObject({ mode: 'design', preheader: 'In short' })
    expect(first).not.toHaveProperty('design')
  })

  it('is rendered again when its preheader changes, and loses its design when code replaces it', async () => {
    const { id } = await saved({ design: page('Hello') })
    const changed = (await change(id, { preheader: 'For {{name}}' })).body as Template
    expect(changed).toMatchObject({ preheader: 'For {{name}}', design: { preheader: 'For {{name}}' } })
    expect(changed.body).toContain('For {{name}}')
    expect((await change(id, { name: 'Spring' })).body).toMatchObject({ name: 'Spring', design: changed.design })
    const code = (await change(id, { body: '<p>Mine</p>' })).body
    expect(code).toMatchObject({ mode: 'html', design: null, body: '<p>Mine</p>', preheader: 'For {{name}}' })
  })

  it('CANVAS-27 sent with a body answers 422 design_and_body', async () => {
    const { status, body } = await save({ design: page('Hello'), body: '<p>x</p>' })
    expect([status, body.detail[0].type]).toEqual([422, 'design_and_body'])
  })

  it('CANVAS-25 of 501 blocks answers 422 design_invalid with path and reason', async () => {
    const blocks = Array.from({ length: 501 }, (_, at) => textBlock(`b${at}`, 'x'))
    const { status, body } = await save({ design: sampleDesign([sampleRow(blocks)]) })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      {
        loc: ['body', 'design', 'rows', 0, 'columns', 0, 'blocks', 500],
        msg: 'A design has at most 500 blocks. Remove some.',
        type: 'design_invalid',
      },
    ])
  })

  it('CANVAS-26 of more than 512 KiB, with a table of 51 lines or with one id twice answers 422 design_invalid', async () => {
    const rows = Array.from({ length: 51 }, () => ({ cells: [{ blocks: [] }] }))
    const designs = [
      page('x'.repeat(512 * 1024)),
      sampleDesign([sampleRow([{ id: 't', type: 'table', rows }])]),
      sampleDesign([sampleRow([textBlock('a', '1'), textBlock('a', '2')])]),
    ]
    for (const design of designs) {
      const { status, body } = await save({ design })
      expect([status, body.detail[0].type]).toEqual([422, 'design_invalid'])
    }
  })

  it('of a newer version is refused, and the template stays as it is', async () => {
    const template = await saved({ design: page('Hello') })
    const { status, body } = await change(template.id, { design: { ...page('New'), version: 2 } })
    expect([status, body.detail[0].loc, body.detail[0].msg]).toEqual([
      422,
      ['body', 'design', 'version'],
      'A newer edition has written this design. Update before you change it.',
    ])
    expect((await call('GET', `/email/template/${template.id}`)).body).toEqual(template)
  })

  it.each([
    [{ mode: 'text', body: '<p>x</p>' }, 'mode'],
    [{ mode: 'html', design: page('x') }, 'mode'],
    [{ body: '<p>x</p>', preheader: 'two\nlines' }, 'preheader'],
    [{ body: '<p>x</p>', preheader: 'nul \0' }, 'preheader'],
    [{ body: '<p>x</p>', name: 'nul \0' }, 'name'],
    [{}, 'body'],
  ])('%j is refused and names the field', async (template, field) => {
    const { status, body } = await save(template)
    expect([status, body.detail[0].loc]).toEqual([422, ['body', field]])
  })

  it('a mode alone is refused, since it says nothing about the content', async () => {
    const { id } = await saved({ body: '<p>x</p>' })
    expect((await change(id, { mode: 'text' })).body.detail[0].loc).toEqual(['body', 'mode'])
  })
})

describe('a template in HTML mode', () => {
  it('HTMLMODE-02 is read back with the same bytes, with LF, CRLF and mixed line ends', async () => {
    for (const body of ['<p>a\nb</p>\n', '<p>a\r\nb</p>\r\n', '<p>\ta\r\nb\nc\rd</p>  \n\n']) {
      const { id } = await saved({ body })
      expect((await call('GET', `/email/template/${id}`)).body).toMatchObject({ body, mode: 'html', design: null })
    }
  })

  it('HTMLMODE-10 an {{#if}} inside an {{#if}} is refused with a sentence', async () => {
    const { status, body } = await save({ body: '{{#if a}}{{#if b}}x{{/if}}{{/if}}' })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'body']])
    expect(body.detail[0].msg).toContain('A condition cannot be inside another')
  })

  it('HTMLMODE-11 an unclosed {{#if}} is reported with line and column', async () => {
    const { status, body } = await save({ body: '<p>\n  {{#if plan == "pro"}}x</p>' })
    expect(status).toBe(422)
    expect(body.detail[0].msg).toMatch(/^Line 2, column 3: /)
  })

  it('a body with a NUL character answers 422 with its offset', async () => {
    const { status, body } = await save({ body: '<p>a\0</p>' })
    expect([status, body.detail[0].msg]).toEqual([
      422,
      'body contains a NUL or an unpaired surrogate at character 5; remove it',
    ])
  })
})

describe('the versions of a template', () => {
  it('VERSIONS-03 grow with each save, and the list shows when and by whom each was made', async () => {
    const { id } = await saved({ body: '<p>1</p>' })
    await change(id, { body: '<p>2</p>', name: 'Second' })
    await change(id, { design: page('3') })
    const versions = await versionsOf(id)
    expect(versions.map(({ revision, name, mode }) => [revision, name, mode])).toEqual([
      [3, 'Second', 'design'],
      [2, 'Second', 'html'],
      [1, '', 'html'],
    ])
    for (const { created_by: by, created_at: at } of versions) {
      expect(by).toMatch(/\S/)
      expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
    }
  })

  it('VERSIONS-04 restoring one gives the template its whole content, and the version before it stays', async () => {
    const first = { name: 'First', subject: 'One', design: page('1'), context: ['a'] }
    const { id } = await saved(first)
    await change(id, { name: 'Second', subject: 'Two', body: '<p>2</p>', context: [], preheader: 'P' })
    const { status, body } = await restore(id, 1)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...first, mode: 'design', preheader: 'In short', revision: 3 })
    expect(body.body).toBe(bodyOf(page('1')))
    expect((await versionsOf(id)).map(({ revision, name }) => [revision, name])).toEqual([
      [3, 'First'],
      [2, 'Second'],
      [1, 'First'],
    ])
    expect((await restore(id, 2)).body).toMatchObject({ name: 'Second', mode: 'html', design: null, context: [] })
  })

  it('VERSIONS-05 after 51 saves the last 50 are kept', async () => {
    const { id } = await saved({ body: '<p>1</p>' })
    for (let at = 2; at <= 51; at++) await change(id, { body: `<p>${at}</p>` })
    const revisions = (await versionsOf(id)).map(({ revision }) => revision)
    expect(revisions).toEqual(Array.from({ length: 50 }, (_, at) => 51 - at))
    expect((await restore(id, 1)).status).toBe(404)
  })

  it('VERSIONS-06 restoring one that does not exist answers 404 version_not_found', async () => {
    const { id } = await saved({ body: '<p>1</p>' })
    const { status, body } = await restore(id, 7)
    expect([status, body.detail]).toEqual([404, 'This template has no such version. The last 50 versions are kept.'])
    expect((await restore('5f0c1d3e-0000-4000-8000-000000000000', 1)).status).toBe(404)
  })

  it('an outdated revision answers 409 revision_conflict with the current one, and changes nothing', async () => {
    const { id } = await saved({ body: '<p>1</p>' })
    expect((await change(id, { body: '<p>2</p>', revision: 1 })).body).toMatchObject({ revision: 2 })
    const { status, body } = await change(id, { body: '<p>3</p>', revision: 1 })
    expect([status, body.revision]).toEqual([409, 2])
    expect((await call('GET', `/email/template/${id}`)).body.body).toBe('<p>2</p>')
  })

  it('of two saves on one revision, one is refused', async () => {
    const { id } = await saved({ body: '<p>1</p>' })
    const answers = await Promise.all(['2', '3', '4', '5'].map((text) => change(id, { body: text, revision: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  it('are unknown to another workspace', async () => {
    const other = await createUser(server)
    const { id } = await saved({ body: '<p>1</p>' })
    expect((await call('GET', `/email/template/${id}/versions`, undefined, other.token)).status).toBe(404)
    expect((await call('POST', `/email/template/${id}/versions/1/restore`, undefined, other.token)).status).toBe(404)
  })
})

describe('saved blocks', () => {
  const block = textBlock('a', 'Our address')

  it('are saved once under a name, listed by name, renamed, replaced and deleted', async () => {
    const own = await createUser(server)
    const send = (method: string, path: string, body?: object) => call(method, path, body, own.token)
    const first = await send('POST', '/email/blocks', { name: ' Footer ', block })
    expect(first).toMatchObject({ status: 201, body: { name: 'Footer', block } })
    expect((await send('POST', '/email/blocks', { name: 'Footer', block })).body).toEqual(first.body)
    const { id } = (await send('POST', '/email/blocks', { name: 'about', block })).body as { id: string }
    const names = async () => ((await send('GET', '/email/blocks')).body as { name: string }[]).map(({ name }) => name)
    expect(await names()).toEqual(['about', 'Footer'])
    const other = textBlock('b', 'New')
    expect((await send('PATCH', `/email/blocks/${id}`, { name: 'Zeta', block: other })).body).toMatchObject({
      block: other,
    })
    expect(await names()).toEqual(['Footer', 'Zeta'])
    expect((await send('DELETE', `/email/blocks/${id}`)).status).toBe(204)
    expect(await names()).toEqual(['Footer'])
  })

  it('an unknown one answers 404 block_not_found, also one of another workspace', async () => {
    const other = await createUser(server)
    const { id } = (await call('POST', '/email/blocks', { name: 'Footer', block })).body as { id: string }
    expect((await call('PATCH', `/email/blocks/${id}`, { name: 'x' }, other.token)).body.detail).toBe(
      'No saved block has this id.',
    )
    for (const unknown of [id, '0', 'x', '99999999999999999999'])
      expect((await call('DELETE', `/email/blocks/${unknown}`, undefined, other.token)).status).toBe(404)
  })

  it('are 500 at most', async () => {
    const own = await createUser(server)
    const save = (name: string) => call('POST', '/email/blocks', { name, block }, own.token)
    await server.sql(
      `insert into saved_blocks (workspace_id, name, block) select m.workspace_id, 'Block ' || n, '{}'
       from members m join users u on u.id = m.user_id, generate_series(1, 499) n where u.email = $1`,
      [own.email],
    )
    expect([(await save('The last one')).status, (await save('One more')).status]).toEqual([201, 409])
    // One that is there is no further one.
    expect((await save('The last one')).status).toBe(201)
  })

  it('that are not valid are refused with path and reason', async () => {
    const { status, body } = await call('POST', '/email/blocks', { name: 'x', block: { ...block, type: 'video' } })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'block', 'type']])
    expect((await call('POST', '/email/blocks', { name: '  ', block })).body.detail[0].loc).toEqual(['body', 'name'])
  })
})
