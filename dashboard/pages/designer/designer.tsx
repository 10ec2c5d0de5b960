import { useEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { templateNameMaxChars } from '../../../contract/mail/template.limits.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { history } from '../../../widgets/kit/icon/icons.ts'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import {
  copiedHtml,
  copyFailed,
  createFailed,
  designerProblems,
  updateFailed,
} from '../../../widgets/lib/template-messages.ts'
import { guardHistory } from '../../../widgets/lib/history/guard-history.ts'
import { useApp } from '../../app.ts'
import { setNavigationGuard } from '../../navigation-guard.ts'
import { BlocksPart, ModeSwitch, PreheaderField } from './blocks-part.tsx'
import { BodyTools } from './body-tools.tsx'
import { DesignPreview } from './design-preview.tsx'
import type { DesignerField } from './design.ts'
import type { DesignerStore } from './designer-store.ts'
import { VersionsDialog } from './versions-dialog.tsx'
import { TagsField } from './tags-field.tsx'
import { VariablesPanel } from './variables-panel.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The designer: editor on the left, preview on the right. */
export function Designer({ store }: { store: DesignerStore }) {
  const t = useText()
  const { notify } = useApp()
  const { design, mode, status, shownProblems, saveError, isRestored, other } = useSnapshot(store.state, { sync: true })
  const form = useRef<HTMLFormElement>(null)
  const area = () => form.current?.querySelector<HTMLTextAreaElement>('textarea[name=body]') ?? null
  const leaving = useLeaveQuestion(store)

  const isCode = design.document === null
  const field = (name: DesignerField) => ({
    name,
    value: design[name],
    problem:
      name !== 'name' && shownProblems.includes(name) && design[name].trim() === '' ? designerProblems[name] : null,
    onValue: (value: string) => store.write(name, value),
  })
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.save()
    form.current?.querySelector<HTMLElement>(`[name=${store.state.shownProblems[0] ?? 'none'}]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
  }
  return (
    <div className={isCode ? 'designer' : 'designer of-blocks'} onKeyDown={onKeyDown}>
      <form ref={form} className="panel design-form" aria-label={t('Template')} noValidate onSubmit={save}>
        {mode === 'copy' && (
          <Banner kind="info" title={t('New from global')}>
            {t('Stored in this browser only until you save it.')}
          </Banner>
        )}
        {isRestored && (
          <Banner kind="info" title={t('Your unsaved changes were restored')}>
            <Button size="small" onClick={() => store.discard()}>
              {t('Discard them')}
            </Button>
          </Banner>
        )}
        {other && (
          <Banner kind="info" title={t('Another version of this draft, {at}, exists.', { at: other.description })}>
            <Button size="small" onClick={other.take}>
              {t('Show it')}
            </Button>{' '}
            <Button size="small" kind="quiet" onClick={other.dismiss}>
              {t('Dismiss')}
            </Button>
          </Banner>
        )}
        <TextField
          {...field('name')}
          label={t('Name')}
          maxLength={templateNameMaxChars}
          hint={t('Only you see it. Without a name, lists show the subject.')}
        />
        <TextField {...field('subject')} label={t('Subject')} required />
        <PreheaderField store={store} />
        <TagsField store={store} />
        <label className="design-public">
          <input
            type="checkbox"
            checked={design.isPublic ?? false}
            onChange={(event) => store.setPublic(event.currentTarget.checked)}
          />
          {t('Public: pages with the template picker show it to everyone, without sign-in')}
        </label>
        <ModeSwitch store={store} />
        {isCode && (
          <div className="design-body">
            <BodyTools area={area} />
            <TextArea {...field('body')} label={t('HTML body')} rows={20} spellCheck={false} required />
          </div>
        )}
        <VariablesPanel store={store} onInsert={isCode ? (name) => insertVariable(area(), name) : null} />
        {status === 'failed' && (
          <Banner kind="error" title={mode === 'edit' ? updateFailed : createFailed}>
            {saveError}
          </Banner>
        )}
        <div className="design-foot">
          <DraftNote store={store} />
          <VersionsButton store={store} />
          <CopyButton
            text={store.readBody}
            what="HTML"
            face="label"
            onCopied={() => notify({ kind: 'success', text: copiedHtml })}
            onFailed={() => notify({ kind: 'error', text: copyFailed })}
          />
          <SaveButton store={store} />
        </div>
      </form>
      {isCode || isNewerDesign(design.document) ? <DesignPreview store={store} /> : <BlocksPart store={store} />}
      {leaving}
    </div>
  )
}

/** 'Save' or 'Update', and what becomes of it (spec §4). */
function SaveButton({ store }: { store: DesignerStore }) {
  const t = useText()
  const { mode, status } = useSnapshot(store.state)
  const isEdit = mode === 'edit'
  const text = isEdit ? t('Update') : t('Save')
  return (
    <>
      <Button kind="primary" type="submit" busy={status === 'saving'}>
        {status === 'saving' ? (isEdit ? t('Updating...') : t('Creating...')) : status === 'saved' ? t('Saved!') : text}
      </Button>
      <span className="hidden-text" role="status">
        {status === 'saved' ? t('Saved!') : ''}
      </span>
    </>
  )
}

function VersionsButton({ store }: { store: DesignerStore }) {
  const t = useText()
  const { mode } = useSnapshot(store.state)
  const [id, setId] = useState<string | null>(null)
  if (mode !== 'edit') return null
  return (
    <>
      <Button icon={history} onClick={() => setId(store.savedId())}>
        {t('Versions')}
      </Button>
      {id !== null && <VersionsDialog store={store} id={id} onClosed={() => setId(null)} />}
    </>
  )
}

function DraftNote({ store }: { store: DesignerStore }) {
  const { draft, mode } = useSnapshot(store.state)
  const t = useText()
  const saved = mode === 'copy' || draft === 'local' ? t('Saved in this browser') : t('Saved as a draft')
  const note = draft === null ? '' : draft === 'unkept' ? t('Not saved yet') : saved
  return <span className="design-note">{note}</span>
}

/** Warns before a dirty designer is left: by a dialog for links, by the browser's own question for the rest. */
function useLeaveQuestion(store: DesignerStore) {
  const t = useText()
  const [leave, setLeave] = useState<{ go: () => void } | null>(null)
  useEffect(() => {
    const ask = (go: () => void) => {
      if (!store.isDirty()) return false
      setLeave({ go })
      return true
    }
    const stop = setNavigationGuard(ask)
    const stopHistory = guardHistory(ask)
    const onUnload = (event: BeforeUnloadEvent) => {
      store.keep()
      if (store.isDirty() && store.state.draft === 'unkept') event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      stop()
      stopHistory()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [store])
  return (
    leave && (
      <Dialog title={t('Leave without saving?')} onClosed={() => setLeave(null)}>
        {(close) => (
          <>
            <p>{t('This template has changes that are not saved. They are kept as a draft.')}</p>
            <DialogActions>
              <Button onClick={leave.go}>{t('Leave')}</Button>
              <Button kind="primary" onClick={close}>
                {t('Stay')}
              </Button>
            </DialogActions>
          </>
        )}
      </Dialog>
    )
  )
}

function insertVariable(area: HTMLTextAreaElement | null, name: string): void {
  if (area === null) return
  area.focus()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the undo history of a text box
  document.execCommand('insertText', false, `{{${name}}}`)
}
