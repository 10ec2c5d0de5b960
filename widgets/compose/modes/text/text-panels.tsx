import { useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Hex } from '../../../../contract/design/design.ts'
import { Button } from '../../../kit/form/button.tsx'
import { useMessages } from '../../../kit/text/text.tsx'
import type { ComposeStore } from '../../compose-types.ts'
import { knownNames } from '../../variables/known-names.ts'
import { readAddress } from '../rich-text/address.ts'
import { insertBlock, insertVariable, removeAt, setAttributes, setColour, setLink } from '../rich-text/commands.ts'
import type { Selected } from '../rich-text/editor.ts'
import { BlockPanel } from './block-panel.tsx'
import { ImagePanel } from './image-panel.tsx'
import { newImage } from './new-blocks.ts'
import type { TextTools } from './text-tools.ts'

const colours: readonly [name: 'Green' | 'Blue' | 'Red' | 'Orange' | 'Purple' | 'Grey', hex: Hex][] = [
  ['Green', '#0f6b4f'],
  ['Blue', '#1f4f8f'],
  ['Red', '#b3261e'],
  ['Orange', '#a04a00'],
  ['Purple', '#6b3fa0'],
  ['Grey', '#5f6368'],
]

/** What is open below the text: a choice for a tool, or the fields of what the caret is at. */
export function TextPanels({ store, tools }: { store: ComposeStore; tools: TextTools }) {
  const t = useMessages()
  const { panel, look, code, problem, files } = useSnapshot(tools.state)
  const close = () => tools.finish(() => false)
  return (
    <div
      className="text-panels"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      {problem !== null && (
        <p className="text-panel" role="alert">
          {problem}{' '}
          <button type="button" className="link" onClick={close}>
            {t('Dismiss')}
          </button>
        </p>
      )}
      {code !== null && (
        <p className="text-panel" role="status">
          {t('You pasted HTML code.')}{' '}
          <Button
            size="small"
            onClick={() => {
              tools.close()
              void import('../mode-store.ts').then(({ takeCode }) => takeCode(store, code))
            }}
          >
            {t('Use as HTML code')}
          </Button>{' '}
          <button type="button" className="link" onClick={close}>
            {t('Dismiss')}
          </button>
        </p>
      )}
      {panel === 'colour' && (
        <div className="text-panel" role="group" aria-label={t('Colour')}>
          {colours.map(([name, hex], at) => (
            <button
              key={hex}
              type="button"
              className="swatch"
              aria-label={t(name)}
              title={t(name)}
              ref={(button) => {
                button?.style.setProperty('--swatch', hex)
                if (at === 0) button?.focus()
              }}
              onClick={() => {
                tools.finish(setColour(hex))
              }}
            />
          ))}
          <Button
            size="small"
            onClick={() => {
              tools.finish(setColour(null))
            }}
          >
            {t('No colour')}
          </Button>
        </div>
      )}
      {panel === 'variables' && <VariableList store={store} tools={tools} />}
      {panel === 'link' && <LinkPanel tools={tools} href={look.selected?.kind === 'link' ? look.selected.href : ''} />}
      {panel === 'image' && (
        <ImagePanel
          store={store}
          files={files}
          onClosed={tools.close}
          onChosen={(image) => {
            tools.finish(insertBlock(newImage(image)))
          }}
        />
      )}
      {panel === null && <SelectedPanel key={keyOf(look.selected as Selected)} store={store} tools={tools} />}
    </div>
  )
}

const keyOf = (selected: Selected) =>
  selected === null || selected.kind === 'link' ? '' : `${selected.kind} ${selected.pos}`

function SelectedPanel({ store, tools }: { store: ComposeStore; tools: TextTools }) {
  const { look } = useSnapshot(tools.state)
  const selected = look.selected as Selected
  if (selected?.kind === 'variable') return <VariablePanel store={store} tools={tools} {...selected} />
  if (selected?.kind === 'block') return <BlockPanel tools={tools} pos={selected.pos} block={selected.block} />
  return null
}

/** The variables that exist, to insert one at the caret. */
function VariableList({ store, tools }: { store: ComposeStore; tools: TextTools }) {
  const t = useMessages()
  const names = knownNames(useSnapshot(store.state))
  return (
    <div className="text-panel" role="group" aria-label={t('Merge variables')}>
      {names.map((name, at) => (
        <button
          key={name}
          type="button"
          className="variable"
          translate="no"
          ref={(button) => {
            if (at === 0) button?.focus()
          }}
          onClick={() => {
            tools.finish(insertVariable(name))
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="panel-field">
      <span>{label}</span>
      {children}
    </label>
  )
}

/** Default and preview value of a variable. */
function VariablePanel({
  store,
  tools,
  name,
  fallback,
  pos,
}: {
  store: ComposeStore
  tools: TextTools
  name: string
  fallback: string
  pos: number
}) {
  const t = useMessages()
  const { draft } = useSnapshot(store.state, { sync: true })
  const [typed, setTyped] = useState(fallback)
  return (
    <div className="text-panel" role="group" aria-label={t('Merge variable {name}', { name })}>
      <span className="variable" translate="no">
        {name}
      </span>
      <Field label={t('Default')}>
        <input
          className="control"
          value={typed}
          placeholder={t('for recipients without a value')}
          onChange={(event) => {
            // A default cannot hold both quotes, nor braces, in the merge grammar.
            const value = event.currentTarget.value.replace(/["{}]/g, '')
            setTyped(value)
            setAttributes(pos, { fallback: value })(...tools.now())
          }}
        />
      </Field>
      <Field label={t('Preview value')}>
        <input
          className="control"
          value={draft.samples[name] ?? ''}
          placeholder={t('shown in the preview only')}
          onChange={(event) => store.write({ samples: { ...draft.samples, [name]: event.currentTarget.value } })}
        />
      </Field>
      <Button size="small" onClick={() => tools.run(removeAt(pos))}>
        {t('Remove')}
      </Button>
    </div>
  )
}

/** The address of a link. */
function LinkPanel({ tools, href }: { tools: TextTools; href: string }) {
  const t = useMessages()
  const [typed, setTyped] = useState(href)
  const [isRefused, setRefused] = useState(false)
  const apply = () => {
    const address = readAddress(typed)
    setRefused(address === null)
    if (address === null) return
    tools.finish(setLink(address))
  }
  return (
    <div className="text-panel" role="group" aria-label={t('Link')}>
      <Field label={t('Goes to')}>
        <input
          className="control"
          ref={(input) => input?.focus()}
          value={typed}
          inputMode="url"
          autoCapitalize="off"
          placeholder="https://"
          aria-invalid={isRefused}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            apply()
          }}
        />
      </Field>
      <Button size="small" kind="primary" onClick={apply}>
        {t('Link it')}
      </Button>
      {href !== '' && (
        <Button
          size="small"
          onClick={() => {
            tools.finish(setLink(null))
          }}
        >
          {t('Remove link')}
        </Button>
      )}
      {isRefused && (
        <p role="alert">{t('A link begins with https://, http://, mailto: or tel:. Write such an address.')}</p>
      )}
    </div>
  )
}
