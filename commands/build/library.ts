import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Design } from '../../contract/design/design.ts'
import { parseTemplate, variablesOf } from '../../contract/mail/merge-variables.ts'
import { catalogue } from '../../library/catalogue.ts'
import type { LibraryTemplate, TemplateAbout } from '../../library/template.ts'
import { validateDesign } from '../../mail-design/validate.ts'
import { finishHtml } from './finish-html.ts'

const home = join(import.meta.dirname, '../../library')

/** Values of the merge variables that every template may use. */
const sharedSample: Readonly<Record<string, string>> = {
  company: 'Alder & Finch',
  postal_address: 'Alder & Finch, 12 Quay Street, Bristol BS1 4QA',
  unsubscribe_url: 'https://example.com/unsubscribe',
}

/** Builds `index.json` in a folder: every template of the catalogue, in its order. */
export async function buildLibrary(folder: string): Promise<void> {
  const templates = await compileLibrary()
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'index.json')
  const next = `${file}.next-${process.pid}`
  await writeFile(next, `${JSON.stringify(templates, null, 2)}\n`)
  await rename(next, file)
}

/** Every template of the catalogue, compiled. Throws for invalid MJML and for samples that do not match the variables. */
export function compileLibrary(): Promise<LibraryTemplate[]> {
  return Promise.all(catalogue.map(compileTemplate))
}

async function compileTemplate(about: TemplateAbout): Promise<LibraryTemplate> {
  const { slug, kind, name, category, description, subject } = about
  const path = join(home, 'templates', slug)
  const [body, text, footer, design] = await Promise.all([
    compileMjml(`${path}.mjml`),
    readFile(`${path}.txt`, 'utf8'),
    readFile(join(home, 'partials', `footer-${kind}.txt`), 'utf8'),
    readDesign(`${path}.design.json`),
  ])
  const template = {
    key: slug,
    name,
    category,
    description,
    subject,
    body,
    design,
    text: `${text.trimEnd()}\n\n${footer}`,
  }
  const context = variablesOf([template.subject, template.body, template.text].flatMap(parseTemplate))
  const content = { ...template, context, sample: sampleFor(about, context) }
  const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  return { id: `global-${slug}`, data: { ...content, version } }
}

/** One value for each variable: a missing or unused one is an error of the catalogue. */
function sampleFor({ slug, sample }: TemplateAbout, context: readonly string[]): Record<string, string> {
  const unused = Object.keys(sample).filter((tag) => !context.includes(tag))
  const missing = context.filter((tag) => !(tag in sample) && !(tag in sharedSample))
  if (unused.length > 0) throw new Error(`The sample of ${slug} has unused values: ${unused.join(', ')}`)
  if (missing.length > 0) throw new Error(`The sample of ${slug} has no value for: ${missing.join(', ')}`)
  return Object.fromEntries(context.map((tag) => [tag, sample[tag] ?? sharedSample[tag] ?? '']))
}

async function readDesign(file: string): Promise<Design> {
  const design: unknown = JSON.parse(await readFile(file, 'utf8'))
  const [fault] = validateDesign(design)
  if (fault) throw new Error(`${file}: ${fault.path.join('.')}: ${fault.reason}`)
  return design as Design
}

async function compileMjml(file: string): Promise<string> {
  // Half a second to load: import it only when something is built.
  const { default: compile } = await import('mjml')
  const { html } = await compile(await readFile(file, 'utf8'), {
    filePath: file,
    includePath: home,
    ignoreIncludes: false,
    keepComments: false,
    // No web fonts.
    fonts: {},
    validationLevel: 'strict',
  })
  return finishHtml(html)
}
