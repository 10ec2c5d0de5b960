import { useState, type ReactNode } from 'react'
import { Banner } from '../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../widgets/kit/form/button.tsx'
import { CopyButton } from '../../widgets/kit/form/copy-button.tsx'
import { Dialog, DialogActions } from '../../widgets/kit/overlay/dialog.tsx'
import { Segmented } from '../../widgets/kit/form/segmented.tsx'
import { PasswordField } from '../../widgets/kit/form/password-field.tsx'
import { SelectField } from '../../widgets/kit/form/select-field.tsx'
import { mountInShadow } from '../../widgets/kit/shadow/shadow-host.tsx'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../widgets/kit/feedback/states.tsx'
import { Table } from '../../widgets/kit/table/table.tsx'
import { TextArea } from '../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../widgets/kit/form/text-field.tsx'
import { inbox, send, trash } from '../../widgets/kit/icon/icons.ts'
import type { Notify } from '../../widgets/lib/notify.ts'
import { mountToaster } from '../../widgets/kit/overlay/toaster.tsx'

/** Every component of the kit in each of its states: a page for tests only. */
function Gallery({ notify }: { notify: Notify }) {
  const [view, setView] = useState<'desktop' | 'phone'>('desktop')
  const [dialog, setDialog] = useState<'closed' | 'open'>('closed')
  const [text, setText] = useState('')
  const [provider, setProvider] = useState('gmail')
  return (
    <>
      <h1>Kit</h1>
      <Part name="Buttons">
        <Button kind="primary" icon={send}>
          Launch Message
        </Button>
        <Button kind="primary" icon={send} disabled>
          Launch Message
        </Button>
        <Button kind="primary" busy>
          Sending...
        </Button>
        <Button>Secondary</Button>
        <Button disabled>Secondary</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Delete</Button>
        <Button icon={trash} aria-label="Delete" />
        <Button size="small">Small</Button>
        <CopyButton
          text="copied text"
          what="secret key"
          onCopied={() => notify({ kind: 'success', text: 'Copied to clipboard' })}
          onFailed={() => notify({ kind: 'error', text: 'Not copied' })}
        />
      </Part>
      <Part name="Fields">
        <TextField label="Email address" type="email" placeholder="you@example.com" value={text} onValue={setText} />
        <TextField label="With a hint" hint="At least 6 characters" value={text} onValue={setText} />
        <TextField label="With a problem" problem="Email is required" value={text} onValue={setText} />
        <PasswordField label="Password" value={text} onValue={setText} />
        <TextField label="Disabled" disabled value="not now" onValue={setText} />
        <TextArea label="Several lines" rows={3} value={text} onValue={setText} />
        <SelectField
          label="Provider"
          options={['gmail', 'outlook'].map((value) => ({ value, text: value }))}
          value={provider}
          onValue={setProvider}
        />
      </Part>
      <Part name="Choice">
        <Segmented
          label="Preview width"
          options={[
            { value: 'desktop', text: 'Desktop' },
            { value: 'phone', text: 'Phone' },
          ]}
          value={view}
          onValue={setView}
        />
        <output>{view}</output>
      </Part>
      <Part name="Banners">
        <Banner kind="info" title="The mailbox is paused" />
        <Banner kind="success" title="Email sent successfully!" />
        <Banner kind="warn" title="One entry is not an address">
          <p>It is marked below.</p>
        </Banner>
        <Banner kind="error" title="Failed to send email">
          <p>The mail server refused the message.</p>
        </Banner>
      </Part>
      <Part name="Table">
        <Table
          label="Mailboxes"
          columns={[
            { label: 'Email', cell: (row: Row) => row.email },
            { label: 'Provider', cell: (row) => row.provider },
            {
              label: 'Actions',
              align: 'end',
              cell: () => <Button kind="quiet" size="small" icon={trash} aria-label="Delete" />,
            },
          ]}
          rows={rows}
          rowKey={(row) => row.email}
        />
      </Part>
      <Part name="States">
        <EmptyState icon={inbox} title="No configurations" text="Connect a mailbox to send from it.">
          <Button kind="primary">Create Config</Button>
        </EmptyState>
        <ErrorState title="Not loaded" text="The server cannot be reached." onRetry={() => setText('again')} />
        <Skeleton>
          <Bone width="40%" />
          <Bone width="70%" />
        </Skeleton>
      </Part>
      <Part name="Dialog">
        <Button onClick={() => setDialog('open')}>Open dialog</Button>
        <Button onClick={() => notify({ kind: 'info', text: 'A toast' })}>Show toast</Button>
      </Part>
      {dialog === 'open' && (
        <Dialog title="Delete Confirmation" onClosed={() => setDialog('closed')}>
          {(close) => (
            <>
              <p>This cannot be undone.</p>
              <DialogActions>
                <Button onClick={close}>Cancel</Button>
                <Button kind="danger" onClick={close}>
                  Delete
                </Button>
              </DialogActions>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  )
}

interface Row {
  email: string
  provider: string
}

const rows: Row[] = [
  { email: 'studio@northwind.example', provider: 'gmail' },
  { email: 'a-very-long-name-for-a-mailbox-of-a-small-studio@northwind.example', provider: 'other' },
]

const place = document.querySelector('main')
if (place !== null) {
  const toaster = mountToaster(document.body)
  mountInShadow(place, <Gallery notify={toaster.notify} />)
}
