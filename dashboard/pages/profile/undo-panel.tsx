import { useId, useState } from 'react'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { readUndoSeconds, saveUndoSeconds, undoChoices } from '../../preferences.ts'

/** For how long a send can be undone. */
export function UndoPanel() {
  const t = useText()
  const id = useId()
  const [seconds, setSeconds] = useState(readUndoSeconds)
  return (
    <section className="panel" aria-labelledby="profile-undo">
      <h2 id="profile-undo">{t('Undo send')}</h2>
      <div className="profile-line">
        <p>
          <label htmlFor={id}>{t('Time to undo a send, in this browser')}</label>
        </p>
        <select
          id={id}
          value={seconds}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value)
            saveUndoSeconds(chosen)
            setSeconds(chosen)
          }}
        >
          {[...undoChoices]
            .sort((a, b) => a - b)
            .map((choice) => (
              <option key={choice} value={choice}>
                {choice === 0 ? t('Off: mail leaves at once') : t('{number} seconds', { number: choice })}
              </option>
            ))}
        </select>
      </div>
    </section>
  )
}
