// Templates: model settings with `{{param}}` placeholders in any text.
import type { TemplateView } from "../../api/template.ts";
import type { Listed } from "../../core/input/listed.ts";
import { listViews, pickFields } from "../../core/input/listing.ts";
import { findParams } from "../../core/input/params.ts";
import { checkTemplate, fillSettings } from "../../core/model/template.ts";
import type { Store } from "../../store/db/open.ts";
import {
  createTemplate,
  listTemplates,
  loadTemplate,
  putTemplate,
  removeTemplates,
  type TemplateRow,
} from "../../store/templates.ts";
import { type BinDeps, type Deleter, deletionOf } from "../shared/deletion.ts";
import type { Params } from "../shared/range.ts";

interface TemplateDeps extends BinDeps {
  readonly store: Store;
}

export class Templates {
  constructor(private readonly deps: TemplateDeps) {}

  /** All templates. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<Listed> {
    const rows = await listTemplates(this.deps.store);
    return listViews(rows.map(viewTemplate), params, { defaultSort: "name" });
  }

  /** One view per name, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(names: readonly string[], params: Params = {}): Promise<object[]> {
    const rows: TemplateRow[] = [];
    for (const name of names) rows.push(await loadTemplate(this.deps.store, name));
    return pickFields(rows.map(viewTemplate), params);
  }

  /** @throws TorusError `invalid`, `already_exists` */
  async create(name: string, body: unknown): Promise<void> {
    const { store, clock } = this.deps;
    await createTemplate(store, { name, settings: { ...checkTemplate(body) } }, clock.now());
  }

  /** Creates or replaces; existing models do not change. @throws TorusError `invalid` */
  async put(name: string, body: unknown): Promise<void> {
    const { store, clock } = this.deps;
    await putTemplate(store, { name, settings: { ...checkTemplate(body) } }, clock.now());
  }

  /**
   * Deletes templates, all or none; models made from them stay.
   * @returns entries of the bin
   * @throws TorusError `not_found`
   */
  remove(names: readonly string[], deleter: Deleter = {}): Promise<string[]> {
    return removeTemplates(this.deps.store, names, deletionOf(this.deps, deleter));
  }

  /**
   * Fills in a template. @returns settings of a model, not checked yet
   * @param params values of the parameters by name
   * @throws TorusError `not_found`, `invalid` naming the missing parameters
   */
  async fill(name: string, params: unknown): Promise<unknown> {
    const { settings } = await loadTemplate(this.deps.store, name);
    return fillSettings(settings, params);
  }
}

function viewTemplate({ name, settings }: TemplateRow): TemplateView {
  return { name, settings, params: findParams(settings) };
}
