import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ApiServer } from './api-server.ts'
import { axeViolations, viewports } from './browser.ts'
import { openDashboard } from './dashboard-page.ts'

/** A state of a screen, and the way to it. */
export interface Scene {
  path: string
  token?: string
  /** Responses that differ from those of a signed-in user. */
  prepare?: () => void
  /** Brings the screen into the tested state. */
  act: (page: Page) => Promise<unknown>
}

/** Runs axe on each scene: on a desktop and on a phone, light and dark. */
export function checkScenes(
  scenes: Readonly<Record<string, Scene>>,
  given: () => { browser: Browser; site: ApiServer },
): void {
  describe('axe finds no violation in', () => {
    for (const [name, { path, token, prepare, act }] of Object.entries(scenes)) {
      it(name, async () => {
        const { browser, site } = given()
        prepare?.()
        for (const viewport of [viewports.desktop, viewports.phone]) {
          await using opened = await openDashboard(browser, site, {
            path,
            viewport,
            ...(token !== undefined && { token }),
          })
          const { page } = opened
          await act(page)
          for (const colorScheme of ['light', 'dark'] as const) {
            // Without motion: a colour in transition belongs to neither scheme.
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            const found = await axeViolations(page, { isRecoloured: colorScheme === 'dark' })
            expect(found, `${colorScheme}, ${viewport.width}`).toEqual([])
          }
        }
      })
    }
  })
}
