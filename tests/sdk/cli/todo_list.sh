#!/usr/bin/env bash
# The AWS CLI on a small to-do list: tables, items, queries, conditions, an index added later, waiters, text and JSON output.
set -uo pipefail
: "${KEYFOLD_ENDPOINT:?is not set; tests/sdk/run sets it}"
export AWS_ACCESS_KEY_ID=AKIAKEYFOLDTEST AWS_SECRET_ACCESS_KEY=keyfold-test-secret AWS_DEFAULT_REGION=us-east-1 AWS_PAGER=
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
table=todo-$$-$(date +%s)
number=0 failures=0

ddb() { /usr/bin/aws --endpoint-url "$KEYFOLD_ENDPOINT" --output text dynamodb "$@" 2>&1; }

# check NAME EXPECTED COMMAND…: the command succeeds and prints exactly EXPECTED.
check() { verdict "$1" "$2" 0 "${@:3}"; }
# refuse NAME PATTERN COMMAND…: the command fails and its output holds PATTERN.
refuse() { verdict "$1" "*$2*" 254 "${@:3}"; }
verdict() {
  local name=$1 expected=$2 wanted=$3 out status
  out=$("${@:4}")
  status=$?
  number=$((number + 1))
  # shellcheck disable=SC2053  # the expectation may be a pattern
  if [ $status -eq "$wanted" ] && [[ $out == $expected ]]; then
    echo "ok $number - $name"
  else
    failures=$((failures + 1))
    printf 'not ok %d - %s\n  # exit %d, expected %s\n' "$number" "$name" "$status" "$expected"
    printf '%s\n' "$out" | sed 's/^/  # got: /'
  fi
}

check 'create-table' "$table" ddb create-table --table-name "$table" --billing-mode PAY_PER_REQUEST \
  --attribute-definitions AttributeName=user,AttributeType=S AttributeName=id,AttributeType=N \
  --key-schema AttributeName=user,KeyType=HASH AttributeName=id,KeyType=RANGE --query TableDescription.TableName
check 'wait table-exists' '' ddb wait table-exists --table-name "$table"
for id in 1 2 3 4 5; do
  check "put-item $id" '' ddb put-item --table-name "$table" \
    --item "{\"user\":{\"S\":\"ann\"},\"id\":{\"N\":\"$id\"},\"title\":{\"S\":\"task $id\"},\"due\":{\"S\":\"2026-0$id\"}}"
done
check 'get-item' 'task 3' ddb get-item --table-name "$table" --key '{"user":{"S":"ann"},"id":{"N":"3"}}' --consistent-read \
  --query Item.title.S
check 'query, newest first, a line a page' $'5\t4\n3\t2\n1' ddb query --table-name "$table" --key-condition-expression '#u = :u' \
  --expression-attribute-names '{"#u":"user"}' --expression-attribute-values '{":u":{"S":"ann"}}' --no-scan-index-forward \
  --page-size 2 --query 'Items[].id.N'
check 'query with --max-items' $'1\t2\nNone' ddb query --table-name "$table" --key-condition-expression '#u = :u' \
  --expression-attribute-names '{"#u":"user"}' --expression-attribute-values '{":u":{"S":"ann"}}' --max-items 2 --query 'Items[].id.N'
check 'scan with a filter' '2' ddb scan --table-name "$table" --filter-expression 'due > :d' \
  --expression-attribute-values '{":d":{"S":"2026-03"}}' --select COUNT --query Count
check 'update-item' $'True\t1' ddb update-item --table-name "$table" --key '{"user":{"S":"ann"},"id":{"N":"1"}}' \
  --update-expression 'SET done = :t ADD edits :one' --expression-attribute-values '{":t":{"BOOL":true},":one":{"N":"1"}}' \
  --return-values UPDATED_NEW --query '[Attributes.done.BOOL, Attributes.edits.N]'
refuse 'put-item if absent' 'ConditionalCheckFailedException' ddb put-item --table-name "$table" \
  --item '{"user":{"S":"ann"},"id":{"N":"1"}}' --condition-expression 'attribute_not_exists(id)'
check 'batch-write-item' '0' ddb batch-write-item --query 'length(keys(UnprocessedItems))' --request-items \
  "{\"$table\":[{\"DeleteRequest\":{\"Key\":{\"user\":{\"S\":\"ann\"},\"id\":{\"N\":\"5\"}}}},{\"PutRequest\":{\"Item\":{\"user\":{\"S\":\"bob\"},\"id\":{\"N\":\"1\"}}}}]}"
check 'batch-get-item' '1' ddb batch-get-item --request-items \
  "{\"$table\":{\"Keys\":[{\"user\":{\"S\":\"bob\"},\"id\":{\"N\":\"1\"}},{\"user\":{\"S\":\"ann\"},\"id\":{\"N\":\"5\"}}]}}" \
  --query "length(Responses.\"$table\")"
check 'update-table adds an index' 'by_due' ddb update-table --table-name "$table" \
  --attribute-definitions AttributeName=user,AttributeType=S AttributeName=id,AttributeType=N AttributeName=due,AttributeType=S \
  --global-secondary-index-updates \
  '[{"Create":{"IndexName":"by_due","KeySchema":[{"AttributeName":"due","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]' \
  --query 'TableDescription.GlobalSecondaryIndexes[0].IndexName'
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  [ "$(ddb describe-table --table-name "$table" --query 'Table.GlobalSecondaryIndexes[0].IndexStatus')" != ACTIVE ] || break
done
check 'query the index' 'task 2' ddb query --table-name "$table" --index-name by_due --key-condition-expression 'due = :d' \
  --expression-attribute-values '{":d":{"S":"2026-02"}}' --query 'Items[].title.S'
check 'delete-item returns the old one' 'task 4' ddb delete-item --table-name "$table" --key '{"user":{"S":"ann"},"id":{"N":"4"}}' \
  --return-values ALL_OLD --query Attributes.title.S
refuse 'get-item with half a key' 'The provided key element does not match the schema' ddb get-item --table-name "$table" \
  --key '{"user":{"S":"ann"}}'
check 'list-tables' "*$table*" ddb list-tables --query TableNames
check 'delete-table' 'DELETING' ddb delete-table --table-name "$table" --query TableDescription.TableStatus
check 'wait table-not-exists' '' ddb wait table-not-exists --table-name "$table"
refuse 'describe-table' 'ResourceNotFoundException' ddb describe-table --table-name "$table"

echo "1..$number"
[ "$failures" -eq 0 ]
