import { useSnapshot } from 'valtio'
import { nameIn } from '../../../contract/core/variable-names.ts'
import { Button } from '../../kit/form/button.tsx'
import { useMessages } from '../../kit/text/text.tsx'
import { isVariableName, variableName } from '../../lib/variable-name.ts'
import type { ComposeStore } from '../compose-types.ts'

/** Of a longer message the rest has no offer: typing must not wait for it. */
const readMaxChars = 64 * 1024

const tag = /\{\{\{?&?([^{}|]{1,100})(?=\||\}\})/gu

/** A name in braces that no variable can have, and the variable that it means. */
interface VariableFix {
  written: string
  name: string
}

// oxlint-disable-next-line sendwright/module-state -- a cache
let last: { text: string; names: string; gives: VariableFix | null } | null = null

/** As `findFix`; asked twice for the same message, as the fields and the preview do, it reads it once. */
function fixOf(text: string, known: readonly string[]): VariableFix | null {
  const names = known.join(' ')
  if (last?.text !== text || last.names !== names) last = { text, names, gives: findFix(text, known) }
  return last.gives
}

/** The first such name of a text, such as `{{First Name}}`; `known` are names that recipients have values for. */
function findFix(text: string, known: readonly string[]): VariableFix | null {
  for (const [, written = ''] of text.slice(0, readMaxChars).matchAll(tag)) {
    const name = written.trim()
    // Conditions begin with these signs.
    const meant = isVariableName(name) || /^[#/]/.test(name) ? '' : variableName(name)
    if (meant === '') continue
    return { written: name, name: nameIn(Object.fromEntries(known.map((one) => [one, ''])), meant) ?? meant }
  }
  return null
}

/** The text with the variable in place of each occurrence. */
function applyFix(text: string, { written, name }: VariableFix): string {
  return text.replaceAll(tag, (found, inner: string) =>
    inner.trim() === written ? found.slice(0, found.length - inner.length) + inner.replace(written, name) : found,
  )
}

/** Offers the variable that is meant by a name with blanks: one click writes it everywhere. */
export function VariableFixButton({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { draft, tags, readonly } = useSnapshot(store.state)
  if (readonly.includes('body') || readonly.includes('subject')) return null
  const columns = draft.sources.flatMap((source) => source.columns.map(({ name }) => name))
  const fix = fixOf(`${draft.subject}\n${draft.preheader}\n${draft.messageBody}`, [...columns, ...tags])
  if (fix === null) return null
  const apply = () => {
    const { subject, preheader, mode, messageBody } = store.state.draft
    store.write({ subject: applyFix(subject, fix), preheader: applyFix(preheader, fix) })
    // In a design such a name is text: its braces are written so that no variable begins there.
    if (mode === 'html') store.write({ messageBody: applyFix(messageBody, fix), mode })
  }
  return (
    <Button size="small" onClick={apply}>
      {t('Use {name}', { name: `{{${fix.name}}}` })}
    </Button>
  )
}
