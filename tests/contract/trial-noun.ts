/** A noun with one table, four calls and one screen: the text of each of its files, by path. */
export const trialFiles: Readonly<Record<string, string>> = {
  'contract/audience/note.routes.ts': `
export const listNotes = 'GET /email/notes'
export const createNote = 'POST /email/notes'
export const getNote = 'GET /email/notes/{id}'
export const deleteNote = 'DELETE /email/notes/{id}'
`,
  'contract/audience/note.errors.ts': `
export const noteErrors = {
  note_not_found: { status: 404, sentence: 'No note has this id.' },
} as const
`,
  'contract/audience/note.ts': `
import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './note.routes.ts'

const Note = Type.Object({ id: Type.String(), text: Type.String() })
export type Note = Static<typeof Note>

const NewNote = Type.Object({ text: Type.String({ minLength: 1, maxLength: 200 }) })
export type NewNote = Static<typeof NewNote>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })
const common = { access: 'member', permission: 'workspace:read' } as const

export const listNotes = defineOperation({
  name: 'listNotes',
  summary: 'Notes',
  ...routeOf(routes.listNotes),
  ...common,
  answers: { 200: { description: 'The notes.', body: Type.Array(Note) } },
  errors: [],
})
export const createNote = defineOperation({
  name: 'createNote',
  summary: 'Create a note',
  ...routeOf(routes.createNote),
  ...common,
  body: NewNote,
  answers: { 201: { description: 'The note.', body: Note } },
  errors: [],
})
export const getNote = defineOperation({
  name: 'getNote',
  summary: 'A note',
  ...routeOf(routes.getNote),
  ...common,
  params: byId,
  answers: { 200: { description: 'The note.', body: Note } },
  errors: ['note_not_found'],
})
export const deleteNote = defineOperation({
  name: 'deleteNote',
  summary: 'Delete a note',
  ...routeOf(routes.deleteNote),
  ...common,
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['note_not_found'],
})
`,
  'server/store/schema/notes.ts': `
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { workspaces } from './accounts.ts'
import { tenantTable } from './table.ts'

export const notes = tenantTable(
  'notes',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    text: text('text').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
)
`,
  'server/store/notes/note.ts': `
import type { Scope } from '../../domain/auth/scope.ts'
import type { Database } from '../core/database.ts'

export interface NoteRow {
  id: string
  text: string
}

export type NoteStore = ReturnType<typeof createNoteStore>

export function createNoteStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async list({ workspaceId }: Scope): Promise<NoteRow[]> {
      const { rows } = await pool.query<NoteRow>('select id, text from notes where workspace_id = $1 order by text', [
        workspaceId,
      ])
      return rows
    },
    async create({ workspaceId }: Scope, { id, text }: NoteRow): Promise<void> {
      await pool.query('insert into notes (workspace_id, id, text) values ($1, $2, $3)', [workspaceId, id, text])
    },
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from notes where workspace_id = $1 and id::text = $2', [workspaceId, id])
      return rowCount === 1
    },
  }
}
`,
  'server/usecases/notes/note-service.ts': `
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { NoteRow, NoteStore } from '../../store/notes/note.ts'

export function createNoteService({ notes, newId }: { notes: NoteStore; newId: () => string }) {
  return {
    listNotes: (scope: Scope) => notes.list(scope),
    async createNote(scope: Scope, text: string): Promise<NoteRow> {
      const note = { id: newId(), text }
      await notes.create(scope, note)
      return note
    },
    async getNote(scope: Scope, id: string): Promise<NoteRow> {
      const found = (await notes.list(scope)).find((note) => note.id === id)
      if (found === undefined) throw new AppError('note_not_found')
      return found
    },
    async deleteNote(scope: Scope, id: string): Promise<void> {
      if (!(await notes.remove(scope, id))) throw new AppError('note_not_found')
    },
  }
}
`,
  'server/http/notes/note.ts': `
import * as contract from '../../../contract/audience/note.ts'
import type { createNoteService } from '../../usecases/notes/note-service.ts'
import type { AddRoute } from '../core/route.ts'

export function addNoteRoutes(add: AddRoute, notes: ReturnType<typeof createNoteService>): void {
  add(contract.listNotes, ({ scope }) => notes.listNotes(scope))
  add(contract.createNote, ({ body, scope }) => notes.createNote(scope, body.text))
  add(contract.getNote, ({ params, scope }) => notes.getNote(scope, params.id))
  add(contract.deleteNote, async ({ params, scope }) => {
    await notes.deleteNote(scope, params.id)
    return null
  })
}
`,
  'server/compose/notes.ts': `
import { addNoteRoutes } from '../http/notes/note.ts'
import { createNoteStore } from '../store/notes/note.ts'
import { createNoteService } from '../usecases/notes/note-service.ts'
import type { Noun } from './core/parts.ts'

export const notes: Noun = {
  addRoutes: (add, { database, newId }) =>
    addNoteRoutes(add, createNoteService({ notes: createNoteStore(database), newId })),
}
`,
  'client/audience/note.ts': `
import type { listNotes as ListNotes, Note } from '../../contract/audience/note.ts'
import * as routes from '../../contract/audience/note.routes.ts'
import { call, type Session } from '../core/http.ts'

export function listNotes(session: Session): Promise<Note[]> {
  return call<typeof ListNotes>(session, { route: routes.listNotes })
}
`,
  'dashboard/pages/notes/notes-page.tsx': `
import { useText } from '../../../widgets/kit/text/text.tsx'
import { ScreenHeader } from '../../shell/screen-header.tsx'

export function NotesPage() {
  const t = useText()
  return <ScreenHeader title={t('Notes')}>{t('What the team wrote down.')}</ScreenHeader>
}
`,
  'dashboard/pages/notes/screens.ts': `
import { book } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const notes: NounScreens = {
  screens: { '/dashboard/notes': lazyScreen(async () => (await import('./notes-page.tsx')).NotesPage) },
  sidebar: [{ group: 'audience', place: 9, path: '/dashboard/notes', text: 'Notes', icon: book }],
}
`,
}

/** The only lines that it adds to files of others, by path. */
export const trialLines: Readonly<Record<string, string>> = {
  'contract/core/error-tables.ts': "export { noteErrors } from '../audience/note.errors.ts'",
  'server/compose/nouns.ts': "export { notes } from './notes.ts'",
  'dashboard/screens.ts': "export { notes } from './pages/notes/screens.ts'",
}
