import { useState, type ReactNode } from 'react'
import { Button } from '../../kit/form/button.tsx'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { css } from '../campaign/campaign-dialog.css'
import type { SendTime } from '../send/launch-store.ts'
import { inAnHour, localTime } from './local-time.ts'
import { WhenFields } from './when-fields.tsx'

const sheet = createSheet(css)

export interface TimeDialogProps {
  title: string
  /** On the button that takes the time, and on that which leaves all as it is. */
  act: string
  back: string
  /** The time to begin with; without it the full hour after the next one. */
  begin: { iso: string; timezone: string } | null
  onChosen: (time: SendTime) => void
  /** Called before `onChosen`. */
  onClosed: () => void
  children?: ReactNode
}

/** Asks for a time of day and its zone. */
export function TimeDialog({ title, act, back, begin, onChosen, onClosed, children }: TimeDialogProps) {
  useSheet(sheet)
  const [time, setTime] = useState<SendTime>(() => ({
    scheduled_at: begin ? localTime(begin.iso, begin.timezone) : inAnHour(),
    timezone: begin?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  }))
  const [isChosen, setChosen] = useState(false)
  const closed = () => {
    onClosed()
    if (isChosen) onChosen(time)
  }
  return (
    <Dialog title={title} onClosed={closed}>
      {(close) => (
        <form
          className="campaign"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setChosen(true)
            close()
          }}
        >
          <WhenFields
            startsAt={time.scheduled_at}
            timezone={time.timezone}
            onChange={(at, timezone) => setTime({ scheduled_at: at || inAnHour(), timezone })}
          />
          {children}
          <DialogActions>
            <Button onClick={close}>{back}</Button>
            <Button kind="primary" type="submit">
              {act}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
