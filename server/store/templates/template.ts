import { and, count, desc, eq, isNotNull, isNull, lt, sql, type SQL } from '../core/drizzle.ts'
import { templateKeptDays } from '../../../contract/core/limits.ts'
import type { TemplatePage, TemplateRow } from '../../domain/templates/template.ts'
import type { Database } from '../core/database.ts'
import { templates } from '../schema/templates.ts'

type Found = typeof templates.$inferSelect
type Texts = Pick<TemplateRow, 'name' | 'subject' | 'body' | 'tags' | 'isPublic'>

/** Templates of workspaces. Every call names the workspace: what belongs to another is not there. */
export function createTemplateStore({ orm }: Pick<Database, 'orm'>) {
  const isAlive = isNull(templates.deletedAt)
  const ofThese = (shown: 'all' | 'public') => (shown === 'all' ? undefined : templates.isPublic)
  const own = (workspaceId: string, id: string) => and(eq(templates.workspaceId, workspaceId), eq(templates.id, id))
  const first = (rows: Found[]): TemplateRow | null => (rows[0] === undefined ? null : toTemplate(rows[0]))

  const countWhere = async (where: SQL | undefined): Promise<number> => {
    const [row] = await orm.select({ count: count() }).from(templates).where(where)
    return row?.count ?? 0
  }

  return {
    /** Null where there is one with this id, or was. */
    async create(
      template: Omit<Texts, 'isPublic' | 'name'> & Partial<Texts> & { id: string; key: string; workspaceId: string },
    ): Promise<TemplateRow | null> {
      return first(
        await orm
          .insert(templates)
          .values({ ...template, tags: [...template.tags] })
          .onConflictDoNothing({ target: templates.id })
          .returning(),
      )
    },

    count: (workspaceId: string) => countWhere(and(eq(templates.workspaceId, workspaceId), isAlive)),

    async list(
      workspaceId: string,
      { search, limit, offset }: TemplatePage,
      shown: 'all' | 'public' = 'all',
    ): Promise<{ rows: TemplateRow[]; total: number }> {
      const where = and(
        eq(templates.workspaceId, workspaceId),
        isAlive,
        ofThese(shown),
        search === null
          ? undefined
          : sql`strpos(lower(concat_ws(e'\\n', ${templates.name}, ${templates.subject}, ${templates.key})), lower(${search})) > 0`,
      )
      const order = [desc(templates.createdAt), desc(templates.id)]
      const [rows, total] = await Promise.all([
        orm
          .select()
          .from(templates)
          .where(where)
          .orderBy(...order)
          .limit(limit)
          .offset(offset),
        countWhere(where),
      ])
      return { rows: rows.map(toTemplate), total }
    },

    async find(workspaceId: string, id: string, shown: 'all' | 'public' = 'all'): Promise<TemplateRow | null> {
      return first(
        await orm
          .select()
          .from(templates)
          .where(and(own(workspaceId, id), isAlive, ofThese(shown))),
      )
    },

    async findByKey(workspaceId: string, key: string): Promise<TemplateRow | null> {
      const where = and(eq(templates.workspaceId, workspaceId), eq(templates.key, key), isAlive)
      return first(await orm.select().from(templates).where(where))
    },

    async update(workspaceId: string, id: string, changes: Partial<Texts>): Promise<TemplateRow | null> {
      const { tags, ...texts } = changes
      return first(
        await orm
          .update(templates)
          .set({ ...texts, ...(tags && { tags: [...tags] }), updatedAt: sql`now()` })
          .where(and(own(workspaceId, id), isAlive))
          .returning(),
      )
    },

    /** Hides one, or all where `id` is null; gives how many. What was hidden long enough, of whomever, goes for good. */
    async remove(workspaceId: string, id: string | null): Promise<number> {
      const which = id === null ? eq(templates.workspaceId, workspaceId) : own(workspaceId, id)
      const hidden = await orm
        .update(templates)
        .set({ deletedAt: sql`now()` })
        .where(and(which, isAlive))
        .returning({ id: templates.id })
      await orm
        .delete(templates)
        .where(lt(templates.deletedAt, sql`now() - make_interval(days => ${templateKeptDays})`))
      return hidden.length
    },

    async restore(workspaceId: string, id: string): Promise<TemplateRow | null> {
      return first(
        await orm
          .update(templates)
          .set({ deletedAt: null })
          .where(and(own(workspaceId, id), isNotNull(templates.deletedAt)))
          .returning(),
      )
    },
  }
}

function toTemplate({ id, key, name, subject, body, tags, isPublic, createdAt, updatedAt }: Found): TemplateRow {
  return { id, key, name, subject, body, tags, isPublic, createdAt, updatedAt }
}
