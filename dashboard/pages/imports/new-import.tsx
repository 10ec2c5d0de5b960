import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { FileDrop } from './upload/file-drop.tsx'
import { ImportBar } from './import-bar.tsx'
import { LastImports } from './last-imports.tsx'
import { createNewImportStore, type NewImportStore } from './new-import-store.ts'
import { ProgressBar } from './progress-bar.tsx'
import { StepBar } from './step-bar.tsx'

/** The first step: a file or pasted rows; below it the last imports. */
export function NewImport() {
  const t = useText()
  const { session, go } = useApp()
  const [store] = useState(() =>
    createNewImportStore(session, (id) => go(`/dashboard/imports/${id}`, { replace: true })),
  )
  useEffect(() => {
    void store.loadLast()
    return store.close
  }, [store])
  const { reading, problem } = useSnapshot(store.state)
  return (
    <>
      <ImportBar about={t('Nothing is written before you have seen a check.')} />
      <StepBar shown="file" />
      <section className="panel import-panel" aria-labelledby="import-file-title">
        <h2 id="import-file-title">{t('Which file has the contacts?')}</h2>
        {problem && <Banner kind="error" title={problem} />}
        {reading && (
          <ProgressBar
            label={t('Reading {name}', { name: reading.name })}
            done={reading.readBytes}
            total={reading.size}
          />
        )}
        <FileDrop label={t('Choose a file')} busy={reading !== null} onFile={(file) => void store.take(file)} />
        <PastedRows store={store} />
      </section>
      <LastImports store={store} />
    </>
  )
}

function PastedRows({ store }: { store: NewImportStore }) {
  const t = useText()
  const { reading } = useSnapshot(store.state)
  const [text, setText] = useState('')
  const send = () => void store.take(new File([text], t('Pasted rows.txt'), { type: 'text/plain' }))
  return (
    <div className="import-paste">
      <TextArea
        label={t('Or paste rows')}
        hint={t('From a spreadsheet, or one address a line.')}
        rows={4}
        value={text}
        spellCheck={false}
        onValue={setText}
      />
      <Button disabled={text.trim() === '' || reading !== null} onClick={send}>
        {t('Use these rows')}
      </Button>
    </div>
  )
}
