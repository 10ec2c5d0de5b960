import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { Segmented } from '../../kit/form/segmented.tsx'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { useModule } from '../../kit/use-module.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import { notLoaded } from '../../lib/compose-messages.ts'
import type { Mode } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import type { SwitchQuestion } from './mode-store.ts'
import { offeredModes } from './offered-modes.ts'
import { css } from './mode-switch.css'

const sheet = createSheet(css)

const names = { text: 'Text', design: 'Design', html: 'HTML' } as const satisfies Record<Mode, string>

const loadAids = () => import('../editor/writing-aids.ts')
const loadEditor = (mode: Mode, { loadDesign }: ComposeStore): Promise<unknown> | undefined =>
  mode === 'text' ? import('./text/text-part.ts') : mode === 'design' ? loadDesign?.() : undefined

/** Text, Design or HTML. A switch that would lose something asks first. */
export function ModeSwitch({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, hide } = useSnapshot(store.state)
  const [isPreviewed, setPreviewed] = useState(false)
  const aids = useModule(loadAids, isPreviewed).module
  const [asked, setAsked] = useState<{ to: Mode; question: SwitchQuestion } | null>(null)
  const choose = async (to: Mode) => {
    try {
      // A mode that cannot be opened is not entered.
      const [{ questionBefore, switchMode }] = await Promise.all([import('./mode-store.ts'), loadEditor(to, store)])
      const question = questionBefore(store, to)
      if (question === null) switchMode(store, to)
      else setAsked({ to, question })
    } catch {
      store.notify({ kind: 'error', text: notLoaded })
    }
  }
  const go = async (to: Mode) => {
    const { switchMode } = await import('./mode-store.ts')
    switchMode(store, to)
  }
  return (
    <>
      <Segmented
        label={t('Mode')}
        options={offeredModes(store).map((mode) => ({ value: mode, text: t(names[mode]) }))}
        value={draft.mode}
        onValue={(to: Mode) => void choose(to)}
      />
      {draft.messageBody !== '' && !hide.includes('preview') && (
        <span className="to-preview">
          <Button size="small" onClick={() => setPreviewed(true)}>
            {t('Preview')}
          </Button>
        </span>
      )}
      {aids && isPreviewed && (
        <Dialog title={t('Preview')} size="full" onClosed={() => setPreviewed(false)}>
          {() => (
            <div
              className="full-preview"
              // Enter in a field of the form would launch the message.
              onKeyDown={(event) =>
                event.key === 'Enter' && event.target instanceof HTMLInputElement && event.preventDefault()
              }
            >
              <aids.PreviewPane store={store} />
            </div>
          )}
        </Dialog>
      )}
      {asked && (
        <Dialog
          title={t(asked.question.kind === 'text' ? 'Keep the text only?' : 'Some blocks will be dropped')}
          onClosed={() => setAsked(null)}
        >
          {(close) => (
            <>
              {asked.question.kind === 'text' ? (
                <>
                  <p>{t('Text mode keeps this text. The HTML can be restored with Undo.')}</p>
                  <pre className="kept-text" tabIndex={0}>
                    {asked.question.text}
                  </pre>
                </>
              ) : (
                <>
                  <p>{t('Text mode has no place for these parts. They can be restored with Undo.')}</p>
                  <ul>
                    {asked.question.blocks.map(({ name, words }, at) => (
                      <li key={at}>
                        {t(name)}
                        {words !== '' && <span translate="no">{`: ${words}`}</span>}
                      </li>
                    ))}
                  </ul>
                </>
              )}
              <DialogActions>
                <Button onClick={close}>{t('Cancel')}</Button>
                <Button
                  kind="primary"
                  onClick={() => {
                    close()
                    void go(asked.to)
                  }}
                >
                  {t('Switch to Text')}
                </Button>
              </DialogActions>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
