/**
 * The check that keeps a doctored cell out of each copied column, by store and table: `values` (a fixed set), `border`
 * (accepted by the API), `json` (a list or object), `number` (a count, time or position, not negative by default),
 * `time` (ISO 8601), `key` (1,000 characters), `text` (256 KB, or 1,000 characters of a reference), `sealed` (decrypted
 * by the backup's key), `forced` (written by the restore itself).
 */
export const PLACED: Record<string, string> = {
  "campaign/analysis_names": "key: name",
  "campaign/attempts":
    "border: from_number to_number; json: disclosure analysis contact_variables; key: call_id; number: contact number dialled_at connected_at ended_at deadline hangup hangup_at unreported revision recorded pinned_version agent_version looked_at message_until; text: provider_call_id outcome reason lease credentials_id agent_id answered_by conversation_id disposition message; values: state status provider",
  "campaign/campaign":
    "border: settings; forced: id account listed_revision; json: columns redial assumed; number: only importing created_at updated_at started_at ended_at accepted rejected duplicates pending originated connected completed failed cancelled seq revision failures failed_at not_before append_after settings_revision settings_at reported_seq contacts_revision; text: status_reason created_by hash settings_by reported_status; values: status",
  "campaign/contact_gaps": "number: row missing",
  "campaign/contacts":
    "border: phone; json: variables; number: id zone attempts last_attempt_at next_attempt_at updated_at position; text: outcome failure_reason call_id; values: status",
  "campaign/duplicates": "json: variables; number: position first; text: phone",
  "campaign/earlier_numbers": "border: phone; number: contact until_seq",
  "campaign/erasures": "json: contacts formerly counts cursor; key: id; number: rewritten_from rewriting done",
  "campaign/log":
    "json: counts detail; number: seq at contact attempt; text: event actor status previous_status call_id reason hash",
  "campaign/operations": "key: id; number: contacts at",
  "campaign/outbox": "json: body; number: n refused_at parked_at; text: key; values: destination",
  "campaign/rejects": "json: row; number: line national; text: reason",
  "campaign/uploads": "json: names; number: n phone extra",
  "campaign/zones": "border: name; number: id",
  "d1/account_days":
    "border: day; forced: revision; number: calls answered talk_ms conversations conversation_ms input_tokens cached_tokens output_tokens speech_chars carrier_s tool_runs model_errors cost_micros cost_incomplete",
  "d1/agent_documents": "key: agent_id document_id; time: created_at; values: mode",
  "d1/agent_faqs": "key: agent_id faq_id; number: position; text: body_hash; time: created_at",
  "d1/agent_playbooks": "key: agent_id playbook_id; number: position; text: body_hash; time: created_at",
  "d1/agent_prompts": "key: id; number: version; text: agent_id system_prompt created_by; time: created_at",
  "d1/agent_tests":
    "border: name steps variables tool_mocks expect repeat min_passes; key: id; number: revision; text: agent_id conversation_id created_by updated_by; time: created_at updated_at revised_at; values: required",
  "d1/agent_tools":
    "border: tool_name config; key: agent_id; number: position; text: body_hash; time: created_at updated_at; values: enabled",
  "d1/agent_versions":
    "border: hash fields; json: items; key: agent_id; number: number; text: note created_by published_by; time: created_at published_at used_at",
  "d1/agent_widget_settings":
    "key: agent_id; number: revision; text: updated_by; time: updated_at revised_at; values: auth_mode widget_enabled",
  "d1/agents":
    "border: name description llm_model fallback_model voice_id system_prompt greeting_message voicemail_message background_audio_volume transfer_targets max_output_tokens filler_after_ms timezone language languages key_terms phrases redact analysis disclosure template_id; key: id; number: published_version revision; text: active_prompt_id created_by updated_by; time: created_at updated_at revised_at; values: category status voice_provider greeting_mode auth_mode background_audio_enabled noise_suppression_enabled ringing_enabled storage versioning",
  "d1/api_keys":
    "border: name hash last8 scopes agent_ids allowed_addresses; forced: unattended disabled_at; key: id; text: created_by; time: created_at expires_at last_used_at; values: scopes_named",
  "d1/audit_log":
    "forced: about_account; json: changes; key: id; text: actor actor_name action resource resource_id resource_name request_id; time: at",
  "d1/budgets":
    "border: scope_id limit warn_at; key: id; number: revision; text: created_by updated_by; time: created_at updated_at revised_at; values: scope period unit action",
  "d1/call_settings":
    "border: retention_days recording_announcement disclosure ring_timeout_s inbound_reserve allowed_destinations caller_concurrent_calls caller_calls_per_day; number: revision; text: updated_by; time: revised_at; values: record_outbound record_inbound voicemail",
  "d1/campaigns":
    "forced: revision; json: record; key: id; number: agent_version; text: agent_id from_number; time: created_at; values: status",
  "d1/do_not_call": "border: phone_number reason; text: conversation_id; time: created_at",
  "d1/documents":
    "border: title language content_type url pages refresh_hours sha256 text_sha256 effective_from effective_until; key: id; number: bytes revision; text: file_name created_by updated_by; time: created_at updated_at revised_at; values: source",
  "d1/erased_opt_outs": "key: id; sealed: sealed",
  "d1/erasures": "json: counts; key: id; text: hint; time: created_at completed_at; values: status subject",
  "d1/faqs":
    "border: name title summary content category tags; key: id; number: revision; text: updated_by; time: created_at updated_at revised_at; values: is_default modified_from_default",
  "d1/integration_installs":
    "border: id params; json: secret_names; number: revision; sealed: secrets; text: updated_by; time: installed_at created_at updated_at revised_at",
  "d1/invitations": "border: email hash; forced: expires_at; key: id; text: invited_by; time: created_at; values: role",
  "d1/pending_events": "border: type; json: data; key: resource; time: at",
  "d1/phone_numbers":
    "border: e164 provider; json: last_check; key: id; number: revision; text: credentials_id agent_id updated_by; time: created_at updated_at revised_at; values: inbound_enabled outbound_enabled",
  "d1/playbooks":
    "border: name display_name description category tags tool_names triggers content; key: id; number: revision; text: updated_by; time: created_at updated_at revised_at; values: is_default modified_from_default",
  "d1/prices": "border: what since unit_micros",
  "d1/privacy_settings": "border: calls_days events_days audit_days",
  "d1/removed_members": "border: email; key: id; time: removed_at",
  "d1/sign_in_policies": "border: session_hours idle_minutes; values: require_second_factor",
  "d1/spent_tokens": "key: id; time: expires_at",
  "d1/telephony_providers":
    "border: provider label; json: credential_keys; key: id; sealed: credentials; time: created_at deleted_at",
  "d1/test_runs":
    "json: outcomes; key: id; number: version; text: agent_id hash reason created_by; time: created_at ended_at; values: status",
  "d1/tools":
    "border: name display_name description category implementation_code implementation_config schema max_runs bind tags; key: id; number: revision; text: updated_by; time: created_at updated_at revised_at; values: implementation_type effect is_default modified_from_default",
  "d1/version_bodies": "border: hash; json: body; time: created_at",
  "d1/visitor_families": "key: id; text: current; time: expires_at",
  "d1/webhooks":
    "border: url types description agent_ids; forced: enabled disabled_reason begins_at; key: id; number: beginning address_revision revision; sealed: secrets; text: created_by updated_by; time: created_at updated_at revised_at; values: shows",
  "d1/widget_keys":
    "border: name hash last8 domain_allowlist limits; forced: disabled_at; key: id; sealed: sealed_key; text: agent_id created_by; time: created_at last_used_at",
  "d1/widget_settings":
    "border: accent_color launcher_label logo_url primary_color privacy_notice; number: revision; text: updated_by; time: updated_at revised_at; values: launcher_position",
  "events/events": "json: data; number: sequence taken_at; text: id; time: at; values: type",
  "knowledge/chunks": "number: n edition place repeated; text: document heading text words",
  "knowledge/documents":
    "key: id; number: tries deadline edition newest chunks chars words refreshed_at queued_at; text: file_name content_type reason language hash; values: status",
  "knowledge/kept": "key: document; number: edition chunks chars; text: hash",
  "ledger/acts": "json: changes; key: id; text: actor actor_name action resource resource_id resource_name request_id",
  "ledger/analysis_values": "key: id; text: conversation_id name value state; time: started_at",
  "ledger/call_retention": "number: one due; text: kept_from",
  "ledger/calls":
    "json: disclosure metadata variables own_metadata; key: id; number: line_revision stage agent_version message_until; text: agent_id campaign_id contact_id api_key_id from_number to_number provider credentials_id provider_call_id end_reason conversation_id transferred_to recording_id; time: created_at started_at connected_at ended_at disclosed_at; values: direction status disclosed recorded voicemail message hangup_requested uncounted",
  "ledger/conversations":
    "json: variables disclosure usage rates latency analysis_brief; key: id; number: revision agent_version turn_count tool_call_count; text: session_key agent_id prompt_id call_id campaign_id contact_id api_key_id visitor_id phone_number end_reason transferred_to disposition; time: started_at ended_at disclosed_at; values: kind status direction visitor_type disclosed complete archived analysis_status successful",
  "ledger/counters":
    "key: hour agent_id campaign_id kind direction api_key_id model; number: agent_version calls running answered decided talk_ms ended_answered ended_busy ended_no_answer ended_failed ended_rejected ended_machine ended_canceled ended_hangup ended_do_not_call ended_caller_limit ended_budget ended_no_final_event ended_unknown conversations conversation_ms input_tokens cached_tokens output_tokens speech_chars carrier_s tool_runs model_errors cost_micros cost_incomplete",
  "ledger/days": "forced: due_at; key: day; number: revision",
  "ledger/other_usage": "key: id; number: tokens",
  "ledger/notices": "json: body; number: n since tries due_at",
  "ledger/outbox": "json: body; number: n refused_at parked_at; text: key; values: destination",
  "ledger/questions": "key: id; text: conversation_id agent_id question query topic; time: at",
  "ledger/recordings":
    "key: id; number: size_bytes duration_ms; text: call_id agent_id campaign_id provider_recording_id content_type; time: created_at",
  "ledger/removed": "key: id",
  "ledger/split": "number: one",
  "ledger/tool_runs":
    "key: id; number: status duration_ms; text: tool_name conversation_id tool_call_id error; time: at; values: ok",
  "meter/caller_days": "key: day caller; number: calls refused",
  "meter/days": "key: day; number: calls",
  "meter/inbound_calls": "key: id; number: taken_at; text: call_id refused",
  "meter/tool_runs_of_day": "key: visitor; number: day runs",
  "meter/visitor_days": "key: widget_key who; number: day conversations speech_chars",
  "test_run/events": "number: seq item; text: event",
  "test_run/items":
    "json: result; number: n repeat tries input_tokens output_tokens requests open_request acted; text: test state lease; values: outcome",
  "test_run/run": "json: plan; number: one recorded ended_at; text: reason; values: status",
  "test_run/tests": "json: test; number: n times; text: id conversation_id",
};
