import type { ReactNode } from 'react'
import * as registry from './screens.ts'
import { Guard } from './shell/guard.tsx'
import type { NounScreens } from './shell/noun-screens.ts'

const nouns = Object.values<NounScreens>(registry)
const screens = Object.fromEntries(nouns.flatMap((noun) => Object.entries(noun.screens ?? {})))
const screensById = Object.fromEntries(nouns.flatMap((noun) => Object.entries(noun.screensById ?? {})))

/** Every path under /dashboard; `{id}` is an id. */
export const dashboardPaths = [...Object.keys(screens), ...Object.keys(screensById).map((start) => `${start}{id}`)]

interface Found {
  load: () => Promise<void>
  element: ReactNode
}

function find(path: string): Found | null {
  const fixed = screens[path]
  if (fixed !== undefined) return { load: fixed.load, element: <fixed.Screen key={path} /> }
  const [, start = '', id = ''] = /^(.*\/)(\w+)$/.exec(path) ?? []
  const byId = screensById[start]
  return byId === undefined ? null : { load: byId.load, element: <byId.Screen key={path} id={id} /> }
}

/** Loads the screen of a path. Rejects when it fails to load. */
export async function loadDashboardScreen(path: string): Promise<void> {
  await find(path)?.load()
}

/** The screen of a path under /dashboard, for a signed-in user. `unknown` is shown at other paths. */
export function DashboardRoutes({ path, name, unknown }: { path: string; name: string; unknown: ReactNode }) {
  const found = find(name)
  return found === null ? unknown : <Guard path={path}>{found.element}</Guard>
}
