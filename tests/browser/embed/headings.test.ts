import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const lists = ['listEmailConfigs', 'getEmailTemplates', 'listDocuments'] as const
const empty = { json: [], headers: { 'X-Total-Count': '0', ...cors } }
const failing = { status: 503, json: { detail: 'Come back later' }, headers: cors }
const widgets = {
  compose: (page: Page) => page.getByLabel('Subject Line'),
  'template-picker': (page: Page) =>
    page.getByRole('heading', { name: /No templates yet|could not be loaded|loading/ }),
  'config-manager': (page: Page) => page.getByRole('heading', { name: /No configurations|could not be loaded/ }),
}
const hosts = {
  'no heading of its own': '',
  'a title only': '<h1>Host</h1>',
  'headings of every depth': '<h1>Host</h1><h2>Part</h2><h3>Chapter</h3><h4>Section</h4>',
}

describe.each(Object.entries(hosts))('in a page with %s', (_kind, headings) => {
  it.each(Object.keys(widgets) as (keyof typeof widgets)[])(
    'the headings of an empty and of a failed %s skip no level',
    async (widget) => {
      for (const answer of [empty, failing]) {
        for (const list of lists) bench.embed.api.on(list, answer)
        bench.host.on('/', pageWith(bench.embed, `<main>${headings}<div data-sendwright="${widget}"></div></main>`))
        await using opened = await openPage(bench.browser, { allowFaults: /503/ })
        await opened.page.goto(bench.host.url)
        await waitForState(opened.page, 'ready')
        await widgets[widget](opened.page).waitFor()
        expect((await axeViolations(opened.page)).filter((finding) => finding.startsWith('heading-order'))).toEqual([])
      }
    },
  )
})
