import type { Locator, Page } from 'playwright-core'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Block, Design } from '../../contract/design/design.ts'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../support/design-samples.ts'
import { sampleGlobal, sampleTemplate } from '../support/samples.ts'
import { openTemplates, setTemplateResponses } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()

const welcome = async () =>
  JSON.parse(await readFile(join(import.meta.dirname, '../../library/templates/welcome.design.json'), 'utf8')) as Design

const start = () =>
  sampleDesign([
    sampleRow([
      { id: 'h', type: 'heading', level: 1, content: [{ text: 'Salt and Paper' }] },
      textBlock('p', 'We kept two places for you.'),
      { id: 'b', type: 'button', label: 'Keep my places', href: 'https://example.com/salt' },
    ]),
    sampleRow([textBlock('q', 'Second row')]),
  ])

/** Serves one template with this design and opens it in the designer. */
async function open(design: Design, options?: DashboardOptions) {
  const template = sampleTemplate({ name: 'Opening', mode: 'design', design, body: bodyOf(design) })
  setTemplateResponses(site, [template])
  const opened = await openTemplates(browser, site, '/dashboard/templates', {
    viewport: { width: 1280, height: 1600 },
    ...options,
  })
  await opened.page.getByRole('button', { name: 'Edit Opening' }).click()
  await canvas(opened.page).waitFor()
  return opened
}
const canvas = (page: Page) => page.getByRole('group', { name: 'Mail', exact: true })
const block = (page: Page, name: string) => canvas(page).getByRole('group', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })
const settings = (page: Page) => page.getByRole('region', { name: 'Settings' })
const palette = (page: Page) => page.getByRole('region', { name: 'Add a block' })
const saved = () => site.received.findLast(({ method }) => method === 'PATCH')?.body as { design?: Design } | undefined
const namesOf = (page: Page) =>
  page.getByRole('treeitem').evaluateAll((items) => items.map((each) => each.ariaLabel ?? each.textContent))

describe('the block editor', () => {
  it('CANVAS-01 the palette offers every kind of block', async () => {
    await using opened = await open(start())
    const names = await palette(opened.page).getByRole('button').allInnerTexts()
    expect(names).toEqual([
      ...[
        'Heading',
        'Text',
        'Button',
        'Image',
        'Divider',
        'Spacer',
        'Table',
        'Social links',
        'Product',
        'Menu',
        'HTML',
      ],
      ...['Footer', 'Columns'],
    ])
  })

  it.each([
    'Heading',
    'Text',
    'Button',
    'Image',
    'Divider',
    'Spacer',
    'Table',
    'Social links',
    'Product',
    'Menu',
    'HTML',
    'Footer',
  ])('CANVAS-03 a %s block is added, moved, duplicated and deleted by keyboard alone', async (name) => {
    await using opened = await open(start())
    const { page } = opened
    const before = await namesOf(page)
    const tops = () =>
      page
        .getByRole('treeitem')
        .evaluateAll((items) =>
          items
            .filter((each) => Number(each.ariaLevel) < 3)
            .map((each) => (each.ariaLabel ?? each.textContent).replace(/:.*/, '')),
        )
    await palette(page).getByRole('button', { name, exact: true }).press('Enter')
    await expect.poll(tops).toEqual(['Row 1', 'Heading', 'Text', 'Button', 'Row 2', 'Text', 'Row 3', name])
    await page.getByRole('treeitem', { selected: true }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(tops).toEqual(['Row 1', 'Heading', 'Text', 'Button', 'Row 2', 'Text', name])
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(tops).toEqual(['Row 1', 'Heading', 'Text', 'Button', 'Row 2', name, 'Text'])
    await page.keyboard.press('Control+d')
    await expect.poll(tops).toEqual(['Row 1', 'Heading', 'Text', 'Button', 'Row 2', name, name, 'Text'])
    await page.keyboard.press('Delete')
    await expect.poll(tops).toEqual(['Row 1', 'Heading', 'Text', 'Button', 'Row 2', name, 'Text'])
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await expect.poll(() => namesOf(page)).toEqual(before)
  })

  it('CANVAS-02 a block dragged onto the canvas is inserted where the insertion line is shown', async () => {
    await using opened = await open(start())
    const { page } = opened
    const target = await block(page, 'Text: We kept two places for you.').boundingBox()
    await palette(page).getByRole('button', { name: 'Divider' }).hover()
    await page.mouse.down()
    await page.mouse.move(target!.x + 60, target!.y + 4, { steps: 5 })
    const line = await page.locator('.drop-line').boundingBox()
    expect(Math.abs(line!.y - target!.y)).toBeLessThan(4)
    await page.mouse.up()
    await expect
      .poll(() => namesOf(page))
      .toEqual([
        ...['Row 1', 'Heading: Salt and Paper', 'Divider: ', 'Text: We kept two places for you.'],
        ...['Button: Keep my places', 'Row 2', 'Text: Second row'],
      ])
    await expect.poll(() => page.locator('.drop-line').count()).toBe(0)
  })

  it('a block of the mail is dragged into another row, and Esc ends a drag without a change', async () => {
    await using opened = await open(start())
    const { page } = opened
    const before = await namesOf(page)
    const drag = async () => {
      const target = await block(page, 'Text: Second row').boundingBox()
      await block(page, 'Button: Keep my places').hover({ position: { x: 20, y: 20 } })
      await page.mouse.down()
      await page.mouse.move(target!.x + 60, target!.y + target!.height - 10, { steps: 5 })
      await page.locator('.drop-line').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await namesOf(page)).toEqual(before)
    await drag()
    await page.mouse.up()
    await expect
      .poll(() => namesOf(page))
      .toEqual([
        ...['Row 1', 'Heading: Salt and Paper', 'Text: We kept two places for you.'],
        ...['Row 2', 'Text: Second row', 'Button: Keep my places'],
      ])
  })

  it('CANVAS-04 the list shows the same tree as the canvas; a selection in one is one in the other', async () => {
    await using opened = await open(await welcome())
    const { page } = opened
    const drawn = await canvas(page).evaluate((element) =>
      [...element.shadowRoot!.querySelectorAll('[data-block]')].map((each) => each.getAttribute('aria-label')),
    )
    const listed = (await namesOf(page)).filter((name) => !name.startsWith('Row'))
    expect(listed).toEqual(drawn)
    expect(listed.length).toBe(21)
    await block(page, 'Heading: Tell us your name').click()
    await expect.poll(() => item(page, 'Heading: Tell us your name').getAttribute('aria-selected')).toBe('true')
    await item(page, 'Button: Take a look around').click()
    await expect.poll(() => block(page, 'Button: Take a look around').getAttribute('data-selected')).toBe('')
  })

  it('CANVAS-05 heading, text and button words are edited in place', async () => {
    await using opened = await open(start())
    const { page } = opened
    await block(page, 'Heading: Salt and Paper').dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Doors open')
    await page.keyboard.press('Escape')
    await block(page, 'Text: We kept two places for you.').dblclick()
    await page.keyboard.press('End')
    await page.keyboard.type(' Come.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Bye')
    await page.keyboard.press('Escape')
    await block(page, 'Button: Keep my places').dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Come in')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(saved).toMatchObject({
      revision: 1,
      design: {
        rows: [
          {
            columns: [
              {
                blocks: [
                  { content: [{ text: 'Doors open' }] },
                  {
                    content: [
                      { type: 'paragraph', content: [{ text: 'We kept two places for you. Come.' }] },
                      { type: 'paragraph', content: [{ text: 'Bye' }] },
                    ],
                  },
                  { label: 'Come in', href: 'https://example.com/salt' },
                ],
              },
            ],
          },
          {},
        ],
      },
    })
    expect(saved()).not.toHaveProperty('body')
  })

  it('the list shows typed words after a pause, and at once when another block is selected', async () => {
    await using opened = await open(start())
    const { page } = opened
    const list = page.getByRole('tree', { name: 'In this mail' })
    await block(page, 'Heading: Salt and Paper').dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Doors open')
    await list.getByRole('treeitem', { name: 'Heading: Doors open' }).waitFor()
    await page.keyboard.type(' at six')
    await list.getByRole('treeitem', { name: 'Button: Keep my places' }).click()
    await list.getByRole('treeitem', { name: 'Heading: Doors open at six' }).waitFor()
    await block(page, 'Heading: Doors open at six').waitFor()
  })

  it('words keep variables, links and formatting that an edit does not touch; Ctrl+B makes a selection bold', async () => {
    const content = [
      { text: 'Dear ' },
      { variable: 'first_name', fallback: 'friend', marks: { b: true } },
      { text: ', see ' },
      { text: 'the site', marks: { link: 'https://example.com/a', colour: 'accent' as const } },
    ]
    await using opened = await open(
      sampleDesign([sampleRow([{ id: 'p', type: 'text', content: [{ type: 'paragraph', content }] }])]),
    )
    const { page } = opened
    await block(page, 'Text: Dear friend, see the site').dblclick()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('!')
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Oh ')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(saved).toMatchObject({ design: { rows: [{ columns: [{ blocks: [{ content: [{}] }] }] }] } })
    const [paragraph] = (saved()!.design!.rows[0]!.columns[0]!.blocks[0] as { content: { content: unknown[] }[] })
      .content
    expect(paragraph!.content.slice(0, 4)).toEqual([
      { text: 'Oh', marks: { b: true } },
      { text: ' Dear ' },
      content[1],
      content[2],
    ])
    expect(JSON.stringify(paragraph!.content)).toContain('"link":"https://example.com/a"')
  })

  it('CANVAS-06 a row holds one to four columns of changeable width', async () => {
    await using opened = await open(start())
    const { page } = opened
    await item(page, 'Row 2').click()
    const widths = () =>
      canvas(page).evaluate((element) =>
        [...element.shadowRoot!.querySelectorAll('[data-row=row-q] [data-column]')].map((each) =>
          Math.round(each.getBoundingClientRect().width),
        ),
      )
    for (const count of [2, 3, 4, 1]) {
      await settings(page)
        .getByRole('radio', { name: String(count), exact: true })
        .check()
      await expect.poll(async () => (await widths()).length).toBe(count)
    }
    await settings(page).getByRole('radio', { name: '2', exact: true }).check()
    const [equal = 0, other = 0] = await widths()
    expect(Math.abs(equal - other)).toBeLessThan(2)
    await settings(page).getByLabel('Width 1').fill('9')
    await expect.poll(async () => (await widths())[0]! / (await widths())[1]!).toBeGreaterThan(2.5)
  })

  it('CANVAS-07 columns stand below each other in the phone preview and side by side in the desktop preview', async () => {
    const row = {
      ...sampleRow([]),
      columns: [
        { span: 6, blocks: [textBlock('l', 'Left')] },
        { span: 6, blocks: [textBlock('r', 'Right')] },
      ],
    }
    await using opened = await open(sampleDesign([row]))
    const { page } = opened
    const tops = async () => [(await boxOf(block(page, 'Text: Left'))).y, (await boxOf(block(page, 'Text: Right'))).y]
    const [left = 0, right = 1] = await tops()
    expect(left).toBe(right)
    await page.getByRole('radio', { name: 'Phone' }).check()
    await expect.poll(async () => (await tops())[1]! - (await tops())[0]!).toBeGreaterThan(20)
  })

  it('CANVAS-08 the inspector shows the settings under visible labels, and a change is drawn at once', async () => {
    await using opened = await open(start())
    const { page } = opened
    await block(page, 'Button: Keep my places').click()
    await settings(page).getByLabel('Words on the button').fill('Come in')
    await block(page, 'Button: Come in').waitFor()
    await settings(page).getByLabel('Corner').first().fill('0')
    const radius = () =>
      canvas(page).evaluate(
        (element) => getComputedStyle(element.shadowRoot!.querySelector('[data-block=b] a')!).borderRadius,
      )
    await expect.poll(radius).toBe('0px')
    await settings(page).getByLabel('Goes to').fill('javascript:alert(1)')
    await settings(page).getByText('Write an address that begins with https://').waitFor()
    await settings(page)
      .getByText(/^Contrast \d+\.\d, easy to read$/)
      .first()
      .waitFor()
  })

  it('the settings of a heading show the size and weight that it is drawn with', async () => {
    await using opened = await open(start())
    const { page } = opened
    await block(page, 'Heading: Salt and Paper').click()
    const drawn = () =>
      canvas(page).evaluate((element) => {
        const { fontSize, fontWeight } = getComputedStyle(element.shadowRoot!.querySelector('h1, h2, h3')!)
        return { size: String(parseFloat(fontSize)), isBold: fontWeight === '700' }
      })
    const shown = async () => ({
      size: await settings(page).getByLabel('Size', { exact: true }).inputValue(),
      isBold: await settings(page).getByRole('switch', { name: 'Bold' }).isChecked(),
    })
    expect((await drawn()).isBold).toBe(true)
    expect(await shown()).toEqual(await drawn())
    await settings(page).getByRole('switch', { name: 'Bold' }).click()
    await expect.poll(async () => (await drawn()).isBold).toBe(false)
    expect(await shown()).toEqual(await drawn())
  })

  it('CANVAS-09 the theme applies to every block that sets none of its own; its width is 480 to 720 px', async () => {
    const own = { ...textBlock('q', 'Own'), style: { colour: '#aa0000' as const } }
    await using opened = await open(sampleDesign([sampleRow([textBlock('p', 'Plain'), own])]))
    const { page } = opened
    const colour = (id: string) =>
      canvas(page).evaluate(
        (element, name) => getComputedStyle(element.shadowRoot!.querySelector(`[data-block=${name}] p`)!).color,
        id,
      )
    const theme = page.getByRole('region', { name: 'Theme' })
    await theme.getByLabel('Text colour').fill('#00aa00')
    await expect.poll(() => colour('p')).toBe('rgb(0, 170, 0)')
    expect(await colour('q')).toBe('rgb(170, 0, 0)')
    const font = () =>
      canvas(page).evaluate(
        (element) => getComputedStyle(element.shadowRoot!.querySelector('[data-block=p] p')!).fontFamily,
      )
    await theme.getByLabel('Text', { exact: true }).selectOption('georgia')
    await expect.poll(font).toContain('Georgia')
    for (const [typed, shown] of [
      ['300', '480'],
      ['900', '720'],
      ['640', '640'],
    ] as const) {
      await theme.getByLabel('Width of the mail').fill(typed)
      await expect.poll(() => theme.getByLabel('Width of the mail').inputValue()).toBe(shown)
    }
  })

  it('CANVAS-10 in a dark dashboard the mail keeps its own colours; only the dark preview draws it dark', async () => {
    await using opened = await open(start(), { colorScheme: 'dark' })
    const { page } = opened
    const fill = () =>
      canvas(page).evaluate(
        (element) => getComputedStyle(element.shadowRoot!.querySelector('[data-row] > div')!).backgroundColor,
      )
    expect(await fill()).toBe('rgb(251, 249, 244)')
    await page.getByRole('switch', { name: 'Dark', exact: true }).check()
    await expect.poll(fill).not.toBe('rgb(251, 249, 244)')
  })

  it('CANVAS-11 undo and redo work by button and by keyboard, also for moves, deletions and theme changes', async () => {
    await using opened = await open(start())
    const { page } = opened
    const before = await namesOf(page)
    await item(page, 'Text: We kept two places for you.').click()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Delete')
    await page.getByRole('region', { name: 'Theme' }).getByLabel('Width of the mail').fill('500')
    await expect.poll(async () => (await namesOf(page)).length).toBe(before.length - 1)
    const width = page.getByRole('region', { name: 'Theme' }).getByLabel('Width of the mail')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => width.inputValue()).toBe('600')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => namesOf(page)).toEqual(before)
    for (let step = 0; step < 2; step++) await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(() => width.inputValue()).toBe('500')
    expect((await namesOf(page)).length).toBe(before.length - 1)
  })

  it('CANVAS-29 a design of a newer version is only shown, with a sentence that says why, and saving leaves it', async () => {
    const template = sampleTemplate({
      ...{ name: 'Opening', mode: 'design', design: { ...start(), version: 2 }, body: '<p>From the next edition</p>' },
    })
    setTemplateResponses(site, [template])
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const { page } = opened
    await page.getByRole('button', { name: 'Edit Opening' }).click()
    await page.getByText('The design of this template can only be read').waitFor()
    await page.getByText('A newer edition of the product has made it.').waitFor()
    await page.getByTitle('Preview of the template').contentFrame().getByText('From the next edition').waitFor()
    await expect.poll(() => canvas(page).count()).toBe(0)
    await page.getByLabel('Subject').fill('Another subject')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(saved).toMatchObject({ subject: 'Another subject' })
    expect(saved()).not.toHaveProperty('design')
    expect(saved()).not.toHaveProperty('body')
  })

  it('CANVAS-30 an HTML block on the canvas runs no script, loads no frame, and its styles stay in it', async () => {
    const html =
      '<style>p{color:#f00!important} .shell{display:none}</style><p onclick="window.hit=1">Own code</p><iframe src="https://example.com"></iframe><img src=x onerror="window.hit=1"><script>window.hit=1</script>'
    await using opened = await open(
      sampleDesign([sampleRow([textBlock('p', 'Plain'), { id: 'c', type: 'html', html }])]),
    )
    const { page } = opened
    const inside = await canvas(page).evaluate((element) => {
      const root = element.shadowRoot!.querySelector('[data-code]')!.shadowRoot!
      root.querySelector('p')!.click()
      return { tags: [...root.querySelectorAll('*')].map(({ tagName }) => tagName), text: root.textContent }
    })
    expect(inside.text).toContain('Own code')
    expect(inside.tags.filter((tag) => ['SCRIPT', 'IFRAME', 'STYLE'].includes(tag))).toEqual([])
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBe(undefined)
    const colour = canvas(page).evaluate(
      (element) => getComputedStyle(element.shadowRoot!.querySelector('[data-block=p] p')!).color,
    )
    expect(await colour).not.toBe('rgb(255, 0, 0)')
  })

  it('CANVAS-21 a design becomes the HTML it gives, and the design comes back', async () => {
    await using opened = await open(start())
    const { page } = opened
    await page.getByRole('radio', { name: 'HTML' }).check()
    await expect.poll(() => page.getByLabel('HTML body').inputValue()).toBe(bodyOf(start()))
    await page.getByRole('radio', { name: 'Design' }).check()
    await expect.poll(() => namesOf(page)).toContain('Button: Keep my places')
  })

  it('CANVAS-16 each of the 29 library templates opens in the editor as blocks, and no markup is visible', async () => {
    const folder = join(import.meta.dirname, '../../library/templates')
    const files = (await readdir(folder)).filter((file) => file.endsWith('.design.json'))
    expect(files.length).toBe(29)
    const templates = await Promise.all(
      files.map(async (file, at) => {
        const design = JSON.parse(await readFile(join(folder, file), 'utf8')) as Design
        const slug = file.replace('.design.json', '')
        return sampleTemplate({ id: `t${at}`, name: slug, mode: 'design', design, body: '<p>x</p>' })
      }),
    )
    setTemplateResponses(site, templates)
    await using opened = await openTemplates(browser, site, '/dashboard/templates', {
      viewport: { width: 1280, height: 3000 },
    })
    const { page } = opened
    for (const { name } of templates) {
      await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
      await canvas(page).waitFor()
      await page.getByRole('treeitem').first().waitFor()
      const shown = await canvas(page).evaluate(
        (element) => element.shadowRoot!.querySelector<HTMLElement>('.paper')!.innerText,
      )
      expect(shown.length, name).toBeGreaterThan(40)
      expect(shown, name).not.toMatch(/\{\{|<\/?(?:table|td|p|div|span|a)\b/)
      await expect.poll(() => page.getByLabel('HTML body').count()).toBe(0)
      await page.getByRole('link', { name: 'Templates' }).click()
    }
  })

  it("CANVAS-22 the button 'Copy HTML' in Design mode copies the rendered HTML", async () => {
    await using opened = await open(start())
    const { page } = opened
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await block(page, 'Button: Keep my places').click()
    await settings(page).getByLabel('Words on the button').fill('Come in')
    const expected = start()
    const [row] = expected.rows
    Object.assign(row!.columns[0]!.blocks[2]!, { label: 'Come in' })
    await page.getByRole('button', { name: 'Copy HTML' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(bodyOf(expected))
  })

  it('CANVAS-19 designer and template previews show fallbacks and samples in place of variables; no variable appears raw', async () => {
    const words = 'Dear {{first_name | default: "friend"}}, welcome to {{company}}'
    const content = [
      { text: 'Dear ' },
      { variable: 'first_name', fallback: 'friend' },
      { text: ', welcome to ' },
      { variable: 'company', fallback: '' },
    ]
    const design = sampleDesign([
      sampleRow([{ id: 'p', type: 'text', content: [{ type: 'paragraph', content }] }] as Block[]),
    ])
    const templates = [
      sampleTemplate({ id: 't1', name: 'Code', mode: 'html', subject: 'For {{first_name}}', body: `<p>${words}</p>` }),
      sampleTemplate({ id: 't2', name: 'Blocks', mode: 'design', subject: 'News', design, body: bodyOf(design) }),
    ]
    const sample = { first_name: 'Imani', company: 'Alder & Finch' }
    const global = sampleGlobal('g1', { name: 'Welcome', subject: 'Welcome', body: `<p>${words}</p>`, sample })
    setTemplateResponses(site, templates, [global])
    await using opened = await openTemplates(browser, site, '/dashboard/templates', {
      viewport: { width: 1280, height: 1600 },
    })
    const { page } = opened
    const textIn = (scope: Locator) => scope.locator('iframe').first().contentFrame().locator('body').innerText()
    const dialog = page.getByRole('dialog')
    for (const name of ['Code', 'Blocks']) {
      const row = page.getByRole('listitem').filter({ hasText: name })
      await expect.poll(() => textIn(row)).toContain('Dear friend, welcome to')
      expect(await textIn(row)).not.toContain('{{')
      await row.getByRole('button', { name: new RegExp(`^${name}`) }).click()
      await expect.poll(() => textIn(dialog)).toContain('Dear friend, welcome to')
      expect((await textIn(dialog)) + (await dialog.innerText())).not.toContain('{{')
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Edit Code' }).click()
    const shown = page.getByTitle('Preview of the template').contentFrame().locator('body')
    await expect.poll(() => shown.innerText()).toContain('Dear friend, welcome to')
    expect(await shown.innerText()).not.toContain('{{')
    expect(await page.getByRole('region', { name: 'Preview' }).innerText()).not.toContain('{{')
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('button', { name: 'Edit Blocks' }).click()
    const paper = () =>
      canvas(page).evaluate((element) => element.shadowRoot!.querySelector<HTMLElement>('.paper')!.innerText)
    await expect.poll(paper).toContain('Dear friend, welcome to company')
    expect(await paper()).not.toContain('{{')
    await page.getByRole('link', { name: 'Global' }).click()
    const card = page.getByRole('listitem').filter({ hasText: 'Welcome' })
    await expect.poll(() => textIn(card)).toContain('Dear Imani, welcome to Alder & Finch')
    expect(await textIn(card)).not.toContain('{{')
  })

  it('VERSIONS-07 a save with an outdated revision keeps both versions for the person to choose', async () => {
    await using opened = await open(start())
    const { page } = opened
    const theirs = sampleDesign([sampleRow([textBlock('x', 'Their text')])])
    site.on('updateEmailTemplate', {
      status: 409,
      json: { detail: 'This was saved by someone else in the meantime.', code: 'revision_conflict' },
    })
    site.on('getEmailTemplate', {
      json: sampleTemplate({ name: 'Opening', mode: 'design', design: theirs, body: bodyOf(theirs), revision: 7 }),
    })
    await block(page, 'Button: Keep my places').click()
    await settings(page).getByLabel('Words on the button').fill('My words')
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByText('This was saved by someone else in the meantime.').first().waitFor()
    await block(page, 'Button: My words').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await block(page, 'Text: Their text').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await block(page, 'Button: My words').waitFor()
    site.on('updateEmailTemplate', ({ body }) => ({ json: sampleTemplate(body as object) }))
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(() => saved()).toMatchObject({ revision: 7, design: { rows: [{ id: 'row-h' }, {}] } })
  })

  it('the versions of a template are listed with time and person, and one is restored', async () => {
    await using opened = await open(start())
    const { page } = opened
    const version = {
      name: 'Opening',
      subject: 'S',
      preheader: '',
      mode: 'design',
      created_at: '2025-09-02T09:30:00.000Z',
    }
    site.on('getTemplateVersions', {
      json: [
        { ...version, revision: 2, created_by: 'Ines' },
        { ...version, revision: 1, created_by: 'Tomás' },
      ],
    })
    const old = sampleDesign([sampleRow([textBlock('x', 'Old text')])])
    site.on('restoreTemplateVersion', {
      json: sampleTemplate({ name: 'Opening', mode: 'design', design: old, body: bodyOf(old), revision: 3 }),
    })
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('dialog').getByText('by Tomás').waitFor()
    await page.getByRole('dialog').getByText('2 Sept 2025').first().waitFor()
    await page.getByRole('button', { name: /^Restore the version/ }).click()
    await block(page, 'Text: Old text').waitFor()
  })

  it('offers no other version while one is restored', async () => {
    await using opened = await open(start())
    const { page } = opened
    const version = { name: 'Opening', subject: 'S', preheader: '', mode: 'design', created_by: 'Ines' }
    site.on('getTemplateVersions', {
      json: [3, 2, 1].map((revision) => ({ ...version, revision, created_at: `2025-09-0${revision}T09:30:00.000Z` })),
    })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    site.on('restoreTemplateVersion', async () => {
      await promise
      return { status: 503, json: { detail: 'The service is starting.' } }
    })
    await page.getByRole('button', { name: 'Versions' }).click()
    const [second, first] = [0, 1].map((at) => page.getByRole('button', { name: /^Restore the version/ }).nth(at))
    await second?.click()
    await expect.poll(() => first?.isDisabled()).toBe(true)
    resolve(undefined)
    await page.getByRole('dialog').getByText('The service is starting.').waitFor()
    await expect.poll(() => first?.isEnabled()).toBe(true)
  })

  it('VERSIONS-08 own templates show a thumbnail in their list', async () => {
    setTemplateResponses(site, [sampleTemplate({ name: 'Opening', body: '<h1>Doors open</h1>' })])
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const frame = opened.page.getByRole('listitem').locator('iframe').contentFrame()
    await frame.getByText('Doors open').waitFor()
  })

  it('CANVAS-31 Focus replaces top bar and sidebar by document bar and rail; Esc or back leaves it, the message unchanged', async () => {
    await using opened = await open(start())
    const { page } = opened
    await block(page, 'Button: Keep my places').click()
    await settings(page).getByLabel('Words on the button').fill('Come in')
    for (const leave of ['Esc', 'back']) {
      await page.getByRole('button', { name: 'Focus', exact: true }).click()
      await page.getByRole('heading', { name: 'Opening', level: 1 }).waitFor()
      await expect.poll(() => page.getByText('Welcome, ').count()).toBe(0)
      await expect.poll(async () => (await page.locator('.sidebar').boundingBox())?.width).toBe(64)
      if (leave === 'Esc') await page.keyboard.press('Escape')
      else await page.getByRole('button', { name: 'Leave the focus' }).click()
      await page.getByText('Welcome, ').waitFor()
      await block(page, 'Button: Come in').waitFor()
    }
  })

  it.each([
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const)('has no finding of axe on a %s in %s mode', async (viewport, colorScheme) => {
    await using opened = await open(start(), { viewport: viewports[viewport], colorScheme })
    const { page } = opened
    await block(page, 'Button: Keep my places').click()
    expect(await axeViolations(page)).toEqual([])
  })
})
