import { useEffect, useState } from 'react'
import { getBuiltEmbed } from '../../../client/embed/embed-files.ts'
import { loaderFiles, type BuiltEmbed } from '../../../contract/embed/embed-files.ts'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { useApp } from '../../app.ts'
import { pinnedSnippet } from '../../content/docs.ts'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The script tag of the version that is served now, with its integrity hash; nothing until that is known. */
export function PinnedEmbed({ baseUrl }: { baseUrl: string }) {
  const t = useText()
  const { session, notify } = useApp()
  const [built, setBuilt] = useState<BuiltEmbed | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    void getBuiltEmbed(session, ending.signal).then(setBuilt)
    return () => ending.abort()
  }, [session])
  const integrity = built?.integrity['compose.js']
  if (built === null || integrity === undefined) return null
  const hashes = loaderFiles.flatMap((file) => {
    const hash = built.integrity[file]
    return hash === undefined ? [] : [{ file, hash }]
  })
  const snippet = pinnedSnippet(baseUrl, built.version, integrity)
  const copied = { onCopied: () => undefined, onFailed: () => notify({ kind: 'error', text: t('Failed to copy') }) }
  return (
    <>
      <p>
        {richText(
          t,
          '{file} is always the latest version. A versioned file never changes and stays available after an upgrade. With its hash the browser runs only this file, and the file verifies everything it loads.',
          { file: <code>/embed/compose.js</code> },
        )}
      </p>
      <div className="docs-tools">
        <span>{t('Version {version}', { version: built.version })}</span>
        <CopyButton text={snippet} what={t('versioned snippet')} {...copied} />
      </div>
      <pre tabIndex={0} aria-label={t('The same with a version and its hash')}>
        {snippet}
      </pre>
      <ul className="docs-hashes" aria-label={t('Integrity hashes')}>
        {hashes.map(({ file, hash }) => (
          <li key={file} className="docs-line">
            <span>{file}</span>
            <code>{hash}</code>
            <CopyButton text={hash} what={t('integrity hash of {file}', { file })} {...copied} />
          </li>
        ))}
      </ul>
    </>
  )
}
