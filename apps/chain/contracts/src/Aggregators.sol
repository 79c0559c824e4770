// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// Stand-ins for the contracts of 0x and 1inch, with their entry points, errors
// and checks. Settler and executor run calls in their own format: `(address
// target, address token, uint256 amount, bytes data)`, which pays the amount to
// the target.

interface IToken {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

// The address that stands for the native currency.
address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

abstract contract Runner {
    function balance(address token) internal view returns (uint256) {
        return token == NATIVE ? address(this).balance : IToken(token).balanceOf(address(this));
    }

    function pay(address token, address to, uint256 amount) internal {
        if (token == NATIVE) {
            (bool sent, ) = to.call{value: amount}("");
            require(sent);
        } else {
            require(IToken(token).transfer(to, amount));
        }
    }

    function run(bytes memory action) internal {
        (address target, address token, uint256 amount, bytes memory data) =
            abi.decode(action, (address, address, uint256, bytes));
        if (token != NATIVE) IToken(token).approve(target, amount);
        (bool done, bytes memory result) = target.call{value: token == NATIVE ? amount : 0}(data);
        if (!done) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }

    receive() external payable {}
}

/// 0x: lets an operator take an owner's tokens while a call of the owner runs.
contract AllowanceHolder {
    mapping(bytes32 => uint256) private allowed;

    function exec(
        address operator,
        address token,
        uint256 amount,
        address payable target,
        bytes calldata data
    ) external payable returns (bytes memory result) {
        bytes32 key = keccak256(abi.encode(operator, msg.sender, token));
        allowed[key] = amount;
        bool done;
        (done, result) = target.call{value: msg.value}(abi.encodePacked(data, msg.sender));
        if (!done) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        allowed[key] = 0;
    }

    function transferFrom(address token, address owner, address recipient, uint256 amount)
        external
        returns (bool)
    {
        allowed[keccak256(abi.encode(msg.sender, owner, token))] -= amount;
        require(IToken(token).transferFrom(owner, recipient, amount));
        return true;
    }
}

/// 0x: runs actions, and pays out their result if it is at least the minimum.
contract Settler is Runner {
    struct AllowedSlippage {
        address payable recipient;
        address buyToken;
        uint256 minAmountOut;
    }

    error TooMuchSlippage(address token, uint256 expected, uint256 actual);

    AllowanceHolder private immutable holder;

    constructor(AllowanceHolder allowanceHolder) {
        holder = allowanceHolder;
    }

    function execute(AllowedSlippage calldata slippage, bytes[] calldata actions, bytes32)
        external
        payable
        returns (bool)
    {
        for (uint256 i = 0; i < actions.length; i++) {
            (, address token, uint256 amount, ) =
                abi.decode(actions[i], (address, address, uint256, bytes));
            if (i == 0 && token != NATIVE) {
                // AllowanceHolder appends the account. @see ERC-2771
                address owner = address(bytes20(msg.data[msg.data.length - 20:]));
                holder.transferFrom(token, owner, address(this), amount);
            }
            run(actions[i]);
        }
        uint256 actual = balance(slippage.buyToken);
        if (actual < slippage.minAmountOut)
            revert TooMuchSlippage(slippage.buyToken, slippage.minAmountOut, actual);
        pay(slippage.buyToken, slippage.recipient, actual);
        return true;
    }
}

/// 0x: the registry of the current and the previous Settler of each kind.
contract Settlers {
    mapping(uint256 => address) private current;
    mapping(uint256 => address) private previous;

    function set(uint256 kind, address now_, address before) external {
        current[kind] = now_;
        previous[kind] = before;
    }

    function ownerOf(uint256 kind) external view returns (address) {
        require(current[kind] != address(0));
        return current[kind];
    }

    function prev(uint128 kind) external view returns (address) {
        return previous[kind];
    }
}

/// 1inch: pays the executor, and pays the result to the account if it is at least the minimum.
contract AggregationRouterV6 is Runner {
    struct SwapDescription {
        address srcToken;
        address dstToken;
        address payable srcReceiver;
        address payable dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
    }

    error ReturnAmountIsNotEnough(uint256 result, uint256 minReturn);
    error SafeTransferFromFailed();
    error InvalidMsgValue();

    function swap(address executor, SwapDescription calldata desc, bytes calldata data)
        external
        payable
        returns (uint256 returnAmount, uint256 spentAmount)
    {
        bool isNative = desc.srcToken == NATIVE;
        if (msg.value != (isNative ? desc.amount : 0)) revert InvalidMsgValue();
        if (!isNative) {
            try IToken(desc.srcToken).transferFrom(msg.sender, desc.srcReceiver, desc.amount)
                returns (bool) {}
            catch {
                revert SafeTransferFromFailed();
            }
        }
        (bool done, bytes memory result) = executor.call{value: msg.value}(
            abi.encodeWithSignature("execute(address,address,bytes)", msg.sender, desc.dstToken, data)
        );
        if (!done) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        spentAmount = desc.amount;
        returnAmount = balance(desc.dstToken);
        if (returnAmount < desc.minReturnAmount)
            revert ReturnAmountIsNotEnough(returnAmount, desc.minReturnAmount);
        pay(desc.dstToken, desc.dstReceiver, returnAmount);
    }
}

/// 1inch: runs calls with the tokens that it was paid, and returns their result.
contract Executor is Runner {
    function execute(address, address dstToken, bytes calldata data) external payable {
        bytes[] memory actions = abi.decode(data, (bytes[]));
        for (uint256 i = 0; i < actions.length; i++) run(actions[i]);
        pay(dstToken, msg.sender, balance(dstToken));
    }
}
