import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { upload } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'

const accepted = '.csv,.tsv,.tab,.txt,.xlsx,.xlsm,text/csv,text/plain,text/tab-separated-values'

/** Chooses a file by a button or by a drop anywhere on the page. */
export function FileDrop({ label, busy, onFile }: { label: string; busy: boolean; onFile: (file: File) => void }) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const take = useRef(onFile)
  useEffect(() => {
    take.current = onFile
  }, [onFile])

  useEffect(() => {
    // On the whole page: the browser would leave it for a file that is dropped beside the box.
    const onDragOver = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    }
    const onDragLeave = ({ relatedTarget }: DragEvent) => setIsOver(relatedTarget !== null)
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      const file = event.dataTransfer?.files[0]
      if (file) take.current(file)
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('dragleave', onDragLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('dragleave', onDragLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [])

  return (
    <div className={isOver ? 'import-drop over' : 'import-drop'}>
      <input
        ref={input}
        type="file"
        accept={accepted}
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) onFile(file)
          currentTarget.value = '' // The same file can be chosen again.
        }}
      />
      <Button kind="primary" icon={upload} busy={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <p>{t('Or drop it here. CSV, TSV or text, up to 2 GiB; Excel (XLSX), up to 50 MiB.')}</p>
    </div>
  )
}
