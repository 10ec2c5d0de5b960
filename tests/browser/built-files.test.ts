import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { build } from '../../commands/build.ts'
import { readManifest } from '../support/site.ts'

const dist = join(import.meta.dirname, '../../dist')
const embed = join(dist, 'embed')
const assets = join(dist, 'dashboard/assets')
const page = () => readFile(join(dist, 'dashboard/pages/home.html'), 'utf8')

describe('the build', () => {
  it('skips the bundle when no source has changed', async () => {
    expect((await build()).outcome).toBe('fresh')
  })

  it('writes .br and .gz files with the same content beside each text file', async () => {
    for (const folder of [assets, embed]) {
      const names = await readdir(folder)
      for (const name of names.filter((one) => /\.(js|css)$/.test(one))) {
        const content = await readFile(join(folder, name))
        if (content.length < 512) continue
        expect(brotliDecompressSync(await readFile(join(folder, `${name}.br`))).equals(content), name).toBe(true)
        expect(gunzipSync(await readFile(join(folder, `${name}.gz`))).equals(content), name).toBe(true)
      }
    }
  })

  it('lists the licence of every bundled package', async () => {
    const text = await readFile(join(dist, 'dashboard/licenses.txt'), 'utf8')
    for (const name of ['react-dom', 'valtio', 'wouter', 'dompurify', 'lucide-react'])
      expect(text).toContain(`\n${name} `)
  })
})

describe('the page', () => {
  it('has no inline script or style, and every file it references exists', async () => {
    const html = await page()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|\bstyle=/)
    const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(4)
    for (const name of named) expect(existsSync(join(assets, name)), name).toBe(true)
  })

  it('loads the latin fonts first; the server injects the API address', async () => {
    const html = await page()
    expect(html).toContain('<meta name="sendwright-api" content="" />')
    expect(html).toMatch(/rel="preload" as="font"[^>]*instrument-sans-latin-wght/)
    expect(html).toMatch(/rel="preload" as="font"[^>]*newsreader-latin-wght/)
  })

  it('has a content hash in every file name', async () => {
    const names = (await readdir(assets)).filter((name) => !/\.(br|gz)$/.test(name))
    for (const name of names) expect(name).toMatch(/-[\w-]{8}\.\w+$/)
  })
})

describe('the embed', () => {
  it('runs on Preact and contains no part of React or of the schema library', async () => {
    const scripts = (await readdir(embed)).filter((name) => name.endsWith('.js'))
    const all = (await Promise.all(scripts.map((name) => readFile(join(embed, name), 'utf8')))).join('\n')
    // Strings that occur only in React's DOM renderer, and only in the schemas.
    expect(all.includes('Minified React error')).toBe(false)
    expect(all.includes('~kind')).toBe(false)
  })

  it('fetches the sanitiser separately from the first chunk of each widget', async () => {
    const manifest = await readManifest(embed)
    for (const name of ['compose', 'config-manager']) {
      expect(manifest[name]?.imports.filter((file) => file.startsWith('purify'))).toEqual([])
    }
    expect(manifest['widgets/compose/editor/writing-aids.ts']?.imports.some((file) => file.startsWith('purify'))).toBe(
      true,
    )
  })
})
